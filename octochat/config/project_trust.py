"""What a project's own configuration may say before somebody trusts it: only what tightens.

The person's answer is remembered with the digest of the file: one that has changed is asked about
anew. Source: docs/permissions.md#projects-you-do-not-know.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

from octochat.config.schema import Settings
from octochat.context.codec.errors import dotted
from octochat.storage.append import append

Tree: TypeAlias = dict[str, Any]
Key: TypeAlias = tuple[str, ...]

_LOOSENING: Final[tuple[Key, ...]] = (
    ("model",),
    ("models",),
    ("mcp_servers",),
    ("cache",),
    ("compression", "decision"),
    ("recall", "sessions"),
    ("permissions", "allow"),
    ("sandbox",),
    ("privacy",),
    ("hooks",),
    ("tools", "pass_environment"),
)
"""Keys and tables by which a project could spend, allow or learn more than the person wants."""
_LIMITS: Final[tuple[Key, ...]] = (
    ("max_cost",),
    ("max_turns",),
    ("max_tokens",),
    ("thinking_budget",),
    ("recall", "tokens"),
    ("retry", "attempts"),
    ("tools", "output_chars"),
)
"""A project may lower these; 0 is no limit."""
_SCALES: Final[Mapping[Key, tuple[str, ...]]] = {
    ("permissions", "mode"): ("plan", "ask", "accept-edits"),
    ("effort",): ("low", "medium", "auto", "high", "max"),
    ("thinking",): ("off", "on"),
    ("profile",): ("thrifty", "balanced", "careful"),
    ("cache_ttl",): ("5m", "1h"),
}
"""What allows or spends least comes first; a project may go down."""
_DEFAULTS: Final = Settings()


def tightened(upper: Tree, lower: Tree) -> tuple[Tree, tuple[str, ...]]:
    """A project's tree with what tightens the person's own, and the keys that were left out."""
    loose: list[Key] = [key for key in _LOOSENING if _at(upper, key) not in (None, [], {})]
    loose += [key for key in _LIMITS if not _lowers(_at(upper, key), _own(lower, key))]
    loose += [
        key
        for key, scale in _SCALES.items()
        if _rank(_at(upper, key), scale) > _rank(_own(lower, key), scale)
    ]
    for key in loose:
        upper = _without(upper, key)
    return upper, tuple(map(dotted, loose))


@dataclass(frozen=True, slots=True)
class Claim:
    """A file that wants more than it may have before somebody trusts it as it stands."""

    file: Path
    digest: str
    """Of its content, and of all that goes with it."""
    wants: tuple[str, ...] = ()
    """What it wants, a line each."""
    text: str = ""
    """What it says."""

    @property
    def number(self) -> str:
        """The beginning of the digest: who gives it has seen this content."""
        return self.digest[:8]


@dataclass(frozen=True, slots=True)
class Answers:
    """What the person said of projects: one line of JSON for each answer, the last one counts."""

    path: Path
    """The file, in the person's configuration folder."""

    def of(self, project: Path, digest: str) -> bool | None:
        """The answer about this content of a project's file; None if there is none."""
        told: bool | None = None
        for line in self._lines():
            match line:
                case {"file": str(file), "sha256": str(sha256), "trusted": bool(trusted)}:
                    told = trusted if (file, sha256) == (str(project), digest) else told
                case _:
                    pass
        return told

    def remember(self, project: Path, digest: str, *, trusted: bool) -> None:
        """Write an answer down.

        Raises:
            OSError: it can't be written.
        """
        line = json.dumps({"file": str(project), "sha256": digest, "trusted": trusted})
        append(self.path, f"{line}\n")

    def _lines(self) -> Iterator[object]:
        try:
            text = self.path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return
        for line in text.splitlines():
            try:
                yield json.loads(line)
            except (ValueError, RecursionError):
                continue


def digest_of(text: str) -> str:
    """What tells one content of a file from another."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _lowers(said: object, own: object) -> bool:
    """Whether a limit is not said, or is lower than the person's own."""
    if not isinstance(said, int | float):
        return True
    return said > 0 and (not isinstance(own, int | float) or own <= 0 or said <= own)


def _rank(said: object, scale: tuple[str, ...]) -> int:
    return scale.index(said) if said in scale else -1


def _own(tree: Tree, key: Key) -> object:
    """What the person says, or the default."""
    said = _at(tree, key)
    return reduce(getattr, key, cast("object", _DEFAULTS)) if said is None else said


def _at(tree: Tree, key: Key) -> object:
    found: Any = tree
    for step in key:
        found = cast("Tree", found).get(step) if isinstance(found, dict) else None
    return found


def _without(tree: Tree, key: Key) -> Tree:
    step, *rest = key
    if not rest:
        return {name: value for name, value in tree.items() if name != step}
    return {**tree, step: _without(tree[step], tuple(rest))}
