"""What stands in blocks, found once for each tuple of blocks however often it is shown."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar, cast

from octochat.context.session.content import Block, Text, ToolCall, ToolResult
from octochat.context.session.view import Note, Prompt, Step, Unit

T = TypeVar("T")


@dataclass(slots=True)
class Lexicon(Generic[T]):
    """Remembers what `find` finds in the texts, arguments and results of blocks."""

    find: Callable[[str], Iterable[T]]
    _found: dict[int, tuple[object, frozenset[T]]] = field(
        default_factory=dict[int, tuple[object, frozenset[T]]]
    )
    """By the tuple's identity; the tuple is kept, so that the identity stays its own."""

    def of(self, blocks: tuple[Block, ...]) -> frozenset[T]:
        """What stands in these blocks."""
        known = self._found.get(id(blocks))
        if known is None:
            text = "\n".join(texts(blocks))
            known = self._found[id(blocks)] = (blocks, frozenset(self.find(text)))
        return known[1]


def passages(unit: Unit) -> Iterator[tuple[Block, ...]]:
    """What the unit shows, as the tuples of blocks that the log holds."""
    match unit:
        case Prompt(blocks=blocks) | Note(blocks=blocks):
            yield blocks
        case Step(blocks=blocks, answers=answers):
            yield blocks
            for answer in answers:
                yield answer.result.content


def texts(blocks: Iterable[Block]) -> Iterator[str]:
    """The texts among the blocks, and those in arguments and results."""
    for block in blocks:
        match block:
            case Text(text=text):
                yield text
            case ToolCall(arguments=arguments):
                yield from _strings(arguments)
            case ToolResult(content=content):
                yield from texts(content)
            case _:
                pass


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in cast("Mapping[str, object]", value).values():
            yield from _strings(inner)
    elif isinstance(value, list | tuple):
        for inner in cast("list[object]", value):
            yield from _strings(inner)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)
