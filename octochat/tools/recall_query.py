"""What somebody looks for in the session, and whoever finds it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

Who: TypeAlias = Literal["person", "you", "tool"]
"""Who said something, as the model is told: itself is `you`."""


@dataclass(frozen=True, slots=True)
class RecallQuery:
    """What is looked for."""

    words: str
    """Words, and exact phrases between quotes."""
    who: Who | None = None
    path: str = ""
    """Part of the path or command that a result came from."""
    everywhere: bool = False
    """In earlier sessions of this folder instead of this one."""


Sessions: TypeAlias = Literal["ask", "always", "never"]
"""Whether a model may look into earlier sessions."""
Find: TypeAlias = Callable[[RecallQuery], Iterator[str]]
"""The passages that answer, each with its number and who said it, the best first."""
