"""What was sent before, in all sessions: a JSONL file to which every octochat appends.

It knows nothing of widgets. A torn or foreign line is passed over.
"""

import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from octochat.frontends.shared.drafts import Draft, draft_from_json, draft_to_json
from octochat.storage.append import append

READ_BYTES = 2_000_000
"""How much of the file's end is read: some ten thousand prompts."""
LONGEST = 200_000
"""Characters of the longest draft that is kept here (the session log has it anyway)."""


@dataclass(frozen=True, slots=True)
class Sent:
    """One line of the history."""

    draft: Draft
    at: float = 0.0
    """Seconds since the epoch."""
    folder: str = ""
    """The working folder it was sent in."""


@dataclass(slots=True)
class History:
    """The lines sent before, oldest first, and a way back through them."""

    path: Path
    folder: str = ""
    clock: Callable[[], float] = time.time
    sent: list[Sent] = field(default_factory=list[Sent])

    def load(self) -> None:
        """Read the file's end. A file that can't be read counts as empty."""
        try:
            with self.path.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - READ_BYTES))
                raw = file.read()
        except OSError:
            return
        self.sent = [sent for line in raw.splitlines() if (sent := _parse(line)) is not None]

    @property
    def newest(self) -> Draft | None:
        """What was remembered last."""
        return self.sent[-1].draft if self.sent else None

    def add(self, draft: Draft) -> None:
        """Remember what was sent; the same again is remembered once.

        Raises:
            OSError: it can't be written. It is remembered for this run all the same.
        """
        kept = draft.used()
        whole = len(kept.text) + sum(map(len, kept.pastes.values()))
        if not kept.text.strip() or whole > LONGEST:
            return
        if self.newest == kept:
            return
        sent = Sent(kept, self.clock(), self.folder)
        self.sent.append(sent)
        line = {**draft_to_json(kept), "at": sent.at, "folder": sent.folder}
        # A leading newline ends a line that a crash has torn.
        append(self.path, f"\n{json.dumps(line, ensure_ascii=False)}\n")

    def search(self, words: str, limit: int = 50) -> list[Sent]:
        """What holds all the words, newest first, each text once."""
        wanted = words.casefold().split()
        found: dict[str, Sent] = {}
        for sent in reversed(self.sent):
            text = sent.draft.text
            if text not in found and all(word in text.casefold() for word in wanted):
                found[text] = sent
                if len(found) == limit:
                    break
        return list(found.values())


@dataclass(slots=True)
class HistoryCursor:
    """A way back through the history that ends where it began: at the unsent draft."""

    history: History
    place: int | None = None
    """Index of the line shown; None at the unsent draft."""
    unsent: Draft = field(default_factory=Draft)

    def back(self, current: Draft) -> Draft | None:
        """The line before, or None at the oldest."""
        place = len(self.history.sent) if self.place is None else self.place
        if self.place is None:
            self.unsent = current
        while place > 0:
            place -= 1
            draft = self.history.sent[place].draft
            if draft.text != current.text:
                self.place = place
                return draft
        return None

    def forth(self, current: Draft) -> Draft | None:
        """The line after, at the end the unsent draft, or None if that is what is shown."""
        if self.place is None:
            return None
        for place in range(self.place + 1, len(self.history.sent)):
            draft = self.history.sent[place].draft
            if draft.text != current.text:
                self.place = place
                return draft
        self.place = None
        return self.unsent

    def end(self) -> None:
        """Forget the place: what is shown is a draft of its own now."""
        self.place = None


def _parse(line: bytes) -> Sent | None:
    try:
        raw: object = json.loads(line)
    except ValueError:
        return None
    draft = draft_from_json(raw)
    if not draft.text:
        return None
    fields = cast("dict[str, object]", raw)
    at, folder = fields.get("at"), fields.get("folder")
    return Sent(
        draft,
        float(at) if isinstance(at, int | float) else 0.0,
        folder if isinstance(folder, str) else "",
    )
