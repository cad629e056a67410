"""What servers want to know from the person, and their answers."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from octochat.text.harmless import one_line


@dataclass(frozen=True, slots=True)
class Question:
    """One question. It is asked in the thread of the servers and answered from any other."""

    server: str
    message: str
    wants: object
    """A JSON schema of what is to be filled in, or an address to open."""
    answer: "asyncio.Future[Mapping[str, Any] | None]"

    @property
    def fields(self) -> Mapping[str, Mapping[str, Any]]:
        """What is to be filled in, by name; nothing where an address is to be opened."""
        if not isinstance(self.wants, Mapping):
            return {}
        schema = cast("Mapping[str, Any]", self.wants)
        return schema.get("properties", {})

    def say(self, answer: Mapping[str, Any] | None) -> None:
        """Answer it; None says no."""
        self.answer.get_loop().call_soon_threadsafe(_set, self.answer, answer)

    def typed(self, given: Mapping[str, str]) -> Mapping[str, Any]:
        """An answer with its values as the schema wants them.

        Raises:
            ValueError: a name is unknown, or a value is no number.
        """
        if unknown := sorted(set(given) - set(self.fields)):
            raise ValueError(f"{self.server} does not ask for {', '.join(unknown)}.")
        return {name: _value(text, self.fields[name]) for name, text in given.items()}


class Questions:
    """Those of all servers."""

    def __init__(self) -> None:
        self.answered: bool = False
        """Whether somebody can answer in the middle of a call; else the answer is no."""
        self.open: list[Question] = []
        self._latest: dict[str, float] = {}

    async def ask(
        self, server: str, message: str, wants: object, tell: Callable[[str], object]
    ) -> Mapping[str, Any] | None:
        """The person's answer; None: no. `tell` takes a line that says what is asked."""
        if not self.answered:
            return None
        loop = asyncio.get_running_loop()
        question = Question(server, message, wants, loop.create_future())
        self.open.append(question)
        how = f"/mcp answer {server} shows what, /mcp decline {server} says no."
        tell(f"{server} asks: {one_line(message)} {how}")
        try:
            return await question.answer
        finally:
            self.open.remove(question)
            self._latest[server] = loop.time()

    def waited(self, server: str) -> float:
        """When the server last waited for the person, by the clock of the loop; it may be now."""
        if any(each.server == server for each in self.open):
            return asyncio.get_running_loop().time()
        return self._latest.get(server, 0.0)


def _value(text: str, field: Mapping[str, Any]) -> object:
    match field.get("type"):
        case "integer":
            return int(text)
        case "number":
            return float(text)
        case "boolean":
            return text.lower() in ("true", "yes", "y", "1")
        case _:
            return text


def _set(
    future: "asyncio.Future[Mapping[str, Any] | None]", answer: Mapping[str, Any] | None
) -> None:
    if not future.done():
        future.set_result(answer)
