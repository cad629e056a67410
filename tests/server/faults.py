"""A reply and what befalls it -> the frames that go out and the way they end."""

import json
from typing import Any, TypeAlias

from tests.server.http import Answer
from tests.server.refusal import ApiRefusal, Json, error_body
from tests.server.script import (
    Cut,
    EndEarly,
    ErrorEvent,
    Held,
    Malformed,
    Reply,
    Reset,
    Status,
)
from tests.server.wire import frame, frames

STREAM = "text/event-stream"

Played: TypeAlias = Reply | Reset | Cut | EndEarly | Malformed | ErrorEvent | Held
"""Everything that has a reply in it."""


def stream(step: Played, message: Json) -> Answer:
    """The message as events, as far as they get."""
    whole = frames(message)
    match step:
        case Reply():
            return Answer(200, whole, STREAM)
        case Held(gate, _, after):
            return Answer(200, whole, STREAM, gate=gate, held_after=after)
        case Reset() | Cut():
            ending = "reset" if isinstance(step, Reset) else "cut"
            return Answer(200, whole[: step.after], STREAM, ending=ending, whole=False)
        case EndEarly() | Malformed() | ErrorEvent():
            return Answer(200, (*whole[: step.after], *_last_words(step)), STREAM, whole=False)


def _last_words(step: EndEarly | Malformed | ErrorEvent) -> tuple[bytes, ...]:
    match step:
        case EndEarly():
            return ()
        case Malformed():
            return (f"event: content_block_delta\ndata: {step.data}\n\n".encode(),)
        case ErrorEvent():
            return (frame(error_body(step.kind, step.message, "req_in_stream")),)


def single(step: Played, message: Json) -> Answer:
    """The message in one piece; a fault that ends a stream ends it before the end here too."""
    body = json.dumps(message).encode()
    match step:
        case Reply():
            return Answer(200, (body,))
        case Held(gate):
            return Answer(200, (body,), gate=gate)
        case Reset():
            return Answer(200, (), ending="reset", whole=False)
        case Cut() | EndEarly():
            return Answer(200, (body[: len(body) // 2],), ending="cut", whole=False)
        case Malformed():
            return Answer(200, (body[: len(body) // 2],), whole=False)
        case ErrorEvent(_, _, kind, text):
            status = {"overloaded_error": 529}.get(kind, 500)
            return Answer(
                status, (json.dumps(error_body(kind, text, "req_single")).encode(),), whole=False
            )


def played(step: Played, message: Json, body: Json) -> Answer:
    """The answer in the form that the request asked for."""
    return stream(step, message) if body.get("stream") else single(step, message)


def parse(body: bytes) -> Json:
    """The JSON object of a body.

    Raises:
        ApiRefusal: 400, no JSON (`NaN` and the like are none).
    """

    def constant(name: str) -> float:
        raise ValueError(name)

    try:
        value: Any = json.loads(body, parse_constant=constant)
    except ValueError as error:
        raise ApiRefusal("The request body is not valid JSON") from error
    return value


def plain(body: Json, status: int = 200) -> Answer:
    """JSON in one piece."""
    return Answer(status, (json.dumps(body).encode(),))


def refused(refusal: ApiRefusal, request_id: str) -> Answer:
    """The answer to a request that breaks a rule."""
    answer = plain(refusal.body(request_id), refusal.status)
    answer.headers.append(("request-id", request_id))
    return answer


def scripted(step: Status, request_id: str) -> Answer:
    """An error that the test asked for."""
    answer = refused(ApiRefusal(step.message, status=step.status), request_id)
    answer.headers.extend(step.headers)
    if step.retry_after is not None:
        answer.headers.append(("retry-after", f"{step.retry_after:g}"))
    return answer


def tells(answer: Answer) -> int:
    """How many frames have gone out when the client knows what everything took; 0: never."""
    if answer.content_type != STREAM:
        return len(answer.frames) if answer.whole else 0
    told = (n for n, f in enumerate(answer.frames, 1) if f.startswith(b"event: message_delta\n"))
    return next(told, 0)


def announces(answer: Answer) -> bool:
    """Whether it begins as an answer does: an error in its place costs nothing."""
    streams = answer.content_type == STREAM
    return not streams or answer.frames[0].startswith(b"event: message_start\n")
