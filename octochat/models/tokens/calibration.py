"""What a model bills for a token that we count, learned from its usage and kept in a file."""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Annotated, TypeAlias
from uuid import uuid4

from octochat.context.codec.trees import Constraint, TreeError, from_tree, to_tree
from octochat.models.catalogue import ModelInfo, info

START = 1.17
"""Tokens of Claude 4 for one of o200k_base, on recorded sessions; later tokenizers give more."""
LOWEST, HIGHEST = 0.5, 3.0
"""A factor outside is a mistake in the counting, not a tokenizer."""
PRIOR = 2_000.0
"""Counted tokens that the starting factor is worth against what is measured."""
MEMORY = 200_000.0
"""Counted tokens after which older evidence fades."""

Weight: TypeAlias = Annotated[float, Constraint("a number above 0", lambda x: x > 0)]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one model billed for what was counted: a moving average, weighted by size."""

    counted: Weight
    """Tokens by our tokenizer, uncalibrated."""
    billed: Weight
    """Tokens by the API."""

    @property
    def factor(self) -> float:
        """Billed tokens for a counted one, within sane bounds."""
        return min(max(self.billed / self.counted, LOWEST), HIGHEST)

    def and_then(self, counted: float, billed: float) -> "Evidence":
        """With one more call; what lies `MEMORY` back has lost its weight."""
        fade = min(1.0, MEMORY / (self.counted + counted))
        return Evidence((self.counted + counted) * fade, (self.billed + billed) * fade)


class Calibration:
    """The factors of all models. Safe to use from several threads."""

    def __init__(self, path: Path | None, models: Callable[[str], ModelInfo] = info) -> None:
        """Nothing is read before the first use.

        Args:
            path: the JSON file; None keeps nothing between sessions.
            models: what is known of a model, its `token_factor` included.
        """
        self._path = path
        self._models = models
        self._lock = Lock()
        self._known: Mapping[str, Evidence] | None = None

    def factor(self, model: str) -> float:
        """Billed tokens for a counted one."""
        with self._lock:
            if self._known is None:
                self._known = self._read()
            return self._of(model, self._known).factor

    def tokenizer(self, model: str) -> float:
        """Its tokens for the same text, compared with those of Claude 4, as the table has it."""
        return self._models(model).token_factor

    def learn(self, model: str, counted: float, billed: float) -> None:
        """Take in one call: `counted` uncalibrated tokens were billed as `billed`."""
        if counted <= 0 or billed <= 0:
            return
        with self._lock:
            known = self._read() or self._known or {}  # another session may have learned meanwhile
            self._known = {**known, model: self._of(model, known).and_then(counted, billed)}
            self._write(self._known)

    def _of(self, model: str, known: Mapping[str, Evidence]) -> Evidence:
        """What was measured; before its first bill, what Claude's other models have billed."""
        if model in known:
            return known[model]
        like = [
            Evidence(each.counted, each.billed / self.tokenizer(name))
            for name, each in known.items()
            if self._models(name).known
        ]
        start = sum(e.billed for e in like) / sum(e.counted for e in like) if like else START
        return Evidence(PRIOR, PRIOR * start * self.tokenizer(model))

    def _read(self) -> Mapping[str, Evidence]:
        """What is kept; a damaged or unreadable file counts as none: it is soon learned anew."""
        if self._path is None:
            return {}
        try:
            return from_tree(Mapping[str, Evidence], json.loads(self._path.read_bytes()))
        except (OSError, ValueError, TreeError, RecursionError):
            return {}

    def _write(self, known: Mapping[str, Evidence]) -> None:
        if self._path is None:
            return
        text = json.dumps(to_tree(known, Mapping[str, Evidence]), indent=1)
        fresh = self._path.with_name(f"{self._path.name}.{uuid4().hex}.tmp")
        with suppress(OSError):  # a full or read-only disk costs only the memory of the factor
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                fresh.write_text(text, encoding="utf-8")
                fresh.replace(self._path)
            finally:
                fresh.unlink(missing_ok=True)
