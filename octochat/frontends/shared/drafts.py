"""What a person is writing: text in which big pastes stand as chips, and the file that keeps it.

It knows nothing of widgets. A chip reads `[pasted 120 lines #1]`; what it stands for is kept
beside the text and put back when the text is sent.
"""

import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from octochat.text.harmless import without_sequences

CHIP = re.compile(r"\[pasted [\d,]+ (?:lines|characters) #(\d+)\]")
FOLD_LINES = 15
"""A paste of more lines than this becomes a chip."""
FOLD_CHARACTERS = 1_500
"""So does one with more characters than this."""
OPENED = 100_000
"""Characters of the longest paste that is opened in the input; more would hold up every key."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Attached:
    """Something that goes along with a message: a command that the person ran."""

    label: str
    """What is shown of it, on one line."""
    text: str
    """What the model reads."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A text and the pastes that its chips stand for."""

    text: str = ""
    pastes: Mapping[int, str] = field(default_factory=dict[int, str])
    """Pasted text by the number on its chip."""
    along: tuple[Attached, ...] = ()
    """What goes before it when it is sent."""

    def whole(self) -> str:
        """The text with every paste in its place."""
        return CHIP.sub(lambda chip: self.pastes.get(int(chip[1]), chip[0]), self.text)

    def sent(self) -> str:
        """What is sent of it: all of it, without the empty lines around it."""
        return self.whole().strip("\n").rstrip()

    def used(self) -> "Draft":
        """The same without the pastes whose chip is gone."""
        numbers = {int(chip[1]) for chip in CHIP.finditer(self.text)}
        kept = {n: self.pastes[n] for n in sorted(numbers & self.pastes.keys())}
        return Draft(self.text, kept, self.along)


def beside(draft: Draft, pastes: Mapping[int, str]) -> Draft:
    """The draft with other numbers on its chips where `pastes` uses them for something else."""
    numbers: dict[int, int] = {}
    taken = dict(pastes)
    for number, text in draft.pastes.items():
        free = number if taken.get(number, text) == text else max(taken, default=0) + 1
        numbers[number], taken[free] = free, text
    text = CHIP.sub(
        lambda chip: chip[0].replace(f"#{chip[1]}]", f"#{numbers.get(int(chip[1]), chip[1])}]"),
        draft.text,
    )
    pastes = {numbers[number]: text for number, text in draft.pastes.items()}
    return Draft(text, pastes, draft.along)


def joined(drafts: Iterable[Draft]) -> Draft:
    """Drafts below each other."""
    whole = Draft()
    for draft in drafts:
        more = beside(draft, whole.pastes)
        text = "\n".join(part for part in (whole.text, more.text) if part)
        whole = Draft(text, {**whole.pastes, **more.pastes}, (*whole.along, *more.along))
    return whole


@dataclass(frozen=True, slots=True)
class Unsent:
    """All that a person has written and the model has not got."""

    draft: Draft = field(default_factory=Draft)
    waiting: tuple[Draft, ...] = ()
    """Sent while the model was at work, oldest first."""
    held: Draft = field(default_factory=Draft)
    """Left by another octochat and not taken back yet."""

    @property
    def whole(self) -> Draft:
        """All of it below each other."""
        return joined([self.held, *self.waiting, self.draft])


def clean(pasted: str) -> str:
    """Pasted text with plain newlines and without what drives a terminal."""
    lines = pasted.replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub("", without_sequences(lines))


def is_big(pasted: str) -> bool:
    """Whether a paste is shown as a chip."""
    return len(pasted) > FOLD_CHARACTERS or pasted.count("\n") >= FOLD_LINES


def chip_for(pasted: str, number: int) -> str:
    """What stands in the text for a paste."""
    lines = len(pasted.splitlines())
    size = f"{lines:,} lines" if lines > 1 else f"{len(pasted):,} characters"
    return f"[pasted {size} #{number}]"


def draft_to_json(draft: Draft) -> dict[str, Any]:
    """A draft as JSON, without the pastes that are no longer in it."""
    kept = draft.used()
    pastes = {str(number): text for number, text in kept.pastes.items()}
    fields: dict[str, Any] = {"text": kept.text}
    if pastes:
        fields["pastes"] = pastes
    if kept.along:
        fields["along"] = [[each.label, each.text] for each in kept.along]
    return fields


def draft_from_json(raw: object) -> Draft:
    """A draft from JSON; what is not of the form counts as empty."""
    if not isinstance(raw, dict):
        return Draft()
    fields = cast("dict[str, object]", raw)
    text, pastes = fields.get("text"), fields.get("pastes")
    if not isinstance(text, str):
        return Draft()
    found = cast("dict[str, object]", pastes) if isinstance(pastes, dict) else {}
    return Draft(
        text,
        {int(n): p for n, p in found.items() if n.isdecimal() and isinstance(p, str)},
        tuple(_attached(fields.get("along"))),
    )


def _attached(raw: object) -> Iterator[Attached]:
    for each in cast("list[object]", raw) if isinstance(raw, list) else []:
        match each:
            case [str(label), str(text)]:
                yield Attached(label, text)
            case _:
                pass


@dataclass(frozen=True, slots=True)
class DraftFile:
    """Where one session's unsent words are kept, so that no crash takes them."""

    path: Path

    def load(self) -> Unsent:
        """What was kept; nothing where there is no file or it makes no sense."""
        try:
            raw: object = json.loads(self.path.read_text("utf-8"))
        except (OSError, ValueError):
            return Unsent()
        if not isinstance(raw, dict):
            return Unsent()
        fields = cast("dict[str, object]", raw)
        waiting = fields.get("waiting")
        items = cast("list[object]", waiting) if isinstance(waiting, list) else []
        return Unsent(
            draft_from_json(fields.get("draft")),
            tuple(draft_from_json(item) for item in items),
            draft_from_json(fields.get("held")),
        )

    def save(self, unsent: Unsent) -> None:
        """Keep it, readable by its owner only; an empty one leaves no file.

        Raises:
            OSError: it can't be written.
        """
        if unsent == Unsent():
            self.path.unlink(missing_ok=True)
            return
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        raw = {
            "draft": draft_to_json(unsent.draft),
            "waiting": [draft_to_json(draft) for draft in unsent.waiting],
            "held": draft_to_json(unsent.held),
        }
        # mkstemp gives 0600; the rename makes it whole or not at all.
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=self.path.name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(raw, file, ensure_ascii=False)
            Path(name).replace(self.path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
