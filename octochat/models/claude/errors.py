"""A failed call of the Messages API as a `ModelError` that a person can act on.

Pure: it sees status, error type and headers, and knows no SDK.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from math import isfinite
from urllib.parse import urlsplit

from octochat.models.catalogue import near
from octochat.models.port import ErrorKind, ModelError

_TOO_LONG = re.compile(r"prompt is too long: (\d+) tokens > (\d+)")
_NO_ROOM = re.compile(r"exceed context limit: (\d+) \+ (\d+) > (\d+)")
_SPENT = ("contract_spend_limit_reached", "enforced_spend_limit_reached")

_BY_TYPE: Mapping[str, ErrorKind] = {
    "invalid_request_error": "invalid",
    "authentication_error": "auth",
    "billing_error": "billing",
    "permission_error": "auth",
    "not_found_error": "model",
    "request_too_large": "too_long",
    "rate_limit_error": "rate_limit",
    "timeout_error": "timeout",
    "api_error": "server",
    "overloaded_error": "overloaded",
}
_BY_STATUS: Mapping[int, ErrorKind] = {
    401: "auth",
    402: "billing",
    403: "auth",
    404: "model",
    408: "timeout",
    413: "too_long",
    429: "rate_limit",
    504: "timeout",
    503: "overloaded",
    529: "overloaded",
}

_SENTENCES: Mapping[ErrorKind, str] = {
    "auth": "The API did not accept the key ({said}). Check ANTHROPIC_API_KEY, or start with"
    " --model offline.",
    "billing": "The account can't pay for this call ({said}). Add credit or raise its limit.",
    "rate_limit": "The API's rate limit is reached ({said}).",
    "overloaded": "The API is overloaded ({said}).",
    "timeout": "The API took too long ({said}).",
    "server": "The API failed ({said}).",
    "invalid": "The API refused the request: {said}.",
}


@dataclass(frozen=True, slots=True)
class Failure:
    """What the API answered."""

    status: int
    """HTTP status; 200 for an error event within a stream."""
    type: str = ""
    """`error.type` of the body; empty where the answer was no error of this API."""
    code: str = ""
    """`error.details.error_code`."""
    message: str = ""
    """`error.message`, or the beginning of whatever came instead."""
    headers: Mapping[str, str] | None = None
    url: str = ""
    """The server's base URL, without credentials."""


def no_key(detail: str = "") -> ModelError:
    """There is nothing to log in with."""
    return ModelError(
        "auth",
        "No API key: set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN), or start with"
        " --model offline.",
        detail=detail,
    )


def no_stream(content_type: str, said: str, url: str) -> ModelError:
    """What came with 200 is no answer of this API but a proxy's page, or JSON in one piece."""
    words = f" ({line})" if (line := _first_line(said)) else ""
    return ModelError(
        "invalid",
        f"{url} answered with {content_type} where a stream was due{words}. Is a proxy, or a "
        "network that wants a login, in between? Check ANTHROPIC_BASE_URL.",
        detail=said,
    )


def explained(failure: Failure, model: str) -> ModelError:
    """The error to raise for a failed call of `model`."""
    kind = _kind(failure)
    tokens, limit = _lengths(failure.message) or (None, None)
    return ModelError(
        kind,
        _sentence(kind, failure, model),
        retry_after=retry_after(failure.headers or {}),
        detail=failure.message,
        tokens=tokens,
        limit=limit,
    )


def _kind(failure: Failure) -> ErrorKind:
    words = failure.message.lower()
    if failure.code in _SPENT or "credit balance is too low" in words:
        return "billing"
    if "prompt is too long" in words or "exceed context limit" in words:
        return "too_long"
    if failure.status == HTTPStatus.NOT_FOUND and "model" not in words:
        return "invalid"
    if _redirected(failure):
        return "invalid"
    refused = HTTPStatus.MULTIPLE_CHOICES <= failure.status < HTTPStatus.INTERNAL_SERVER_ERROR
    otherwise = "invalid" if refused else "server"
    return _BY_TYPE.get(failure.type) or _BY_STATUS.get(failure.status, otherwise)


def _sentence(kind: ErrorKind, failure: Failure, model: str) -> str:
    """One line: what happened, and what to do where something can be done."""
    match kind:
        case "model":
            return _no_such_model(model)
        case "too_long":
            return _too_long(failure, model)
        case "invalid" if failure.status == HTTPStatus.NOT_FOUND:
            said = f" ({words})" if (words := _first_line(failure.message)) else ""
            where = failure.url or "The server"
            return f"{where} has no Messages API{said}. Check ANTHROPIC_BASE_URL."
        case "invalid" if to := _redirected(failure):
            return (
                f"{failure.url or 'The server'} sends octochat on to {to}, which it does not "
                "follow: it would give your key away. If you trust that address, set "
                "ANTHROPIC_BASE_URL to it."
            )
        case "overloaded" if _first_line(failure.message).lower() == "overloaded":
            return "The API is overloaded."
        case _:
            said = _first_line(failure.message) or f"HTTP {failure.status}"
            return _SENTENCES[kind].format(said=said)


def _redirected(failure: Failure) -> str:
    """Where the server sends the request on to, without a user name or password; else empty."""
    sent_on = HTTPStatus.MULTIPLE_CHOICES <= failure.status < HTTPStatus.BAD_REQUEST
    if not sent_on or failure.status == HTTPStatus.NOT_MODIFIED:
        return ""
    to = urlsplit((failure.headers or {}).get("location", ""))
    return f"{to.scheme}://{to.netloc.rpartition('@')[2]}" if to.netloc else "another address"


def _no_such_model(model: str) -> str:
    others = [name for name in near(model) if name != model]
    if others:
        return f"There is no model {model!r}. Did you mean {others[0]!r}? /model changes it."
    return f"There is no model {model!r}, or this key may not use it. /model changes it."


def _too_long(failure: Failure, model: str) -> str:
    lengths = _lengths(failure.message)
    if lengths is None:
        return f"The request is too big for {model} ({_first_line(failure.message)})."
    tokens, limit = lengths
    return f"The prompt has {tokens:,} tokens, {model} takes {limit:,}."


def _lengths(message: str) -> tuple[int, int] | None:
    """Tokens sent and tokens allowed, where the refusal names them."""
    if found := _TOO_LONG.search(message):
        return int(found[1]), int(found[2])
    if found := _NO_ROOM.search(message):
        return int(found[1]) + int(found[2]), int(found[3])
    return None


def _first_line(message: str) -> str:
    line = message.strip().partition("\n")[0].rstrip(". ")
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…"


LONGEST_LINE = 200
"""Characters of the API's own words that are shown in the line; the whole is in `detail`."""


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from `retry-after` (seconds, or a date measured against `date`)."""
    said = headers.get("retry-after", "")
    try:
        wait = float(said)
        return max(0.0, wait) if isfinite(wait) else None
    except ValueError:
        pass
    try:
        until = parsedate_to_datetime(said) - parsedate_to_datetime(headers.get("date", ""))
    except (ValueError, TypeError):  # one of them without a time zone
        return None
    return max(0.0, until.total_seconds())
