"""A model that says what it is told to: for tests and demonstrations, part of the product."""

from collections.abc import AsyncGenerator, Callable, Iterable, Iterator

from octochat.context.session.content import Text, Thinking
from octochat.models.port import (
    Delta,
    ModelError,
    Reply,
    Request,
    Started,
    TextDelta,
    ThinkingDelta,
)


class Scripted:
    """Answers each request with the next item of its script.

    Items are replies, errors to be raised, or functions from the request to one of these.
    """

    def __init__(self, script: Iterable["Line"]) -> None:
        self.requests: list[Request] = []
        """What it was asked."""
        self._script: Iterator[Line] = iter(script)

    async def reply(self, request: Request) -> AsyncGenerator[Delta | Reply, None]:
        """Stream the next reply, word by word.

        Raises:
            ModelError: the script says so, or is at its end.
        """
        self.requests.append(request)
        line = next(self._script, None)
        said = line(request) if callable(line) else line
        if said is None:
            raise ModelError("invalid", "The script is at its end.")
        if isinstance(said, ModelError):
            raise said
        yield Started(said.usage)
        for block in said.blocks:
            if isinstance(block, Text):
                for word in block.text.split(" "):
                    yield TextDelta(word + " ")
            elif isinstance(block, Thinking):
                yield ThinkingDelta(block.text)
        yield said


Line = Reply | ModelError | Callable[[Request], Reply | ModelError]
"""One answer of a script."""
