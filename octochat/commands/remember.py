"""`/remember`: a line more in a file with instructions, seen before it is written."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from octochat.commands.base import Command, Refused, Report, Shown, simple
from octochat.project.imports import LARGEST
from octochat.project.instructions import NAMES, InstructionFiles, counting
from octochat.project.text_file import UnusableFileError
from octochat.session.session import Session
from octochat.text.harmless import one_line
from octochat.tools.base import ToolError
from octochat.tools.change import Change
from octochat.tools.failures import reason
from octochat.tools.textfile import Form, load, save

TARGETS = ("--project", "--folder", "--mine")
"""The repository's root, the working folder, and the person's own configuration folder."""
USAGE = f"[{' | '.join(TARGETS)}] [TEXT]"


@dataclass(frozen=True, slots=True)
class Addition:
    """What would be written, and where."""

    path: Path
    shown: str
    change: Change

    @property
    def diff(self) -> str:
        """For a person."""
        return self.change.preview(self.shown).rstrip()


def _remember(session: Session, rest: str) -> Shown:
    word, _, after = rest.partition(" ")
    target, text = (word, after.strip()) if word in TARGETS else ("", rest.strip())
    text = text or session.to_remember
    if not text or session.files is None:
        return Refused(f"What is to be remembered? /remember {USAGE}")
    places = _places(session.files)
    try:
        if target:
            return _written(session, _addition(places[target], text, session.files))
        session.to_remember = text
        return Refused("\n".join(_choices(places, text, session.files)))
    except (ToolError, UnusableFileError, OSError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        return Refused(f"Nothing was written: {why}")


def _written(session: Session, addition: Addition) -> Report:
    addition.path.parent.mkdir(parents=True, exist_ok=True)
    change = addition.change
    save(addition.path, change.form.encode(change.after, addition.shown), addition.shown)
    session.to_remember = ""
    told = f"Written to {addition.shown}. The model is told with your next message."
    return Report(f"{addition.diff}\n\n{told}", {"file": addition.shown})


def _choices(places: Mapping[str, Path], text: str, files: InstructionFiles) -> Iterator[str]:
    """The difference for each file, under the words that write it."""
    yield "Nothing is written yet. Which file?"
    seen: set[Path] = set()
    for target, place in places.items():
        if place in seen:
            continue
        seen.add(place)
        yield ""
        yield f"/remember {target}"
        try:
            yield _addition(place, text, files).diff
        except (ToolError, UnusableFileError) as error:
            yield f"  can't be written: {error}"


def _places(files: InstructionFiles) -> Mapping[str, Path]:
    return dict(zip(TARGETS, (files.root, files.folder, files.own), strict=True))


def _addition(place: Path, text: str, files: InstructionFiles) -> Addition:
    """The change of the file that counts in a folder, or of a new one.

    Raises:
        ToolError: there is something that is no text file.
        UnusableFileError: it is a link to outside the project.
    """
    path = counting(place) or place / NAMES[1]
    real = Path(os.path.realpath(path))
    shown = one_line(str(path))
    if place != files.own and not real.is_relative_to(files.root):
        raise UnusableFileError(f"{shown} is a link to outside the project")
    try:
        old = load(real, shown, LARGEST)
        form, before, new = old.form, old.text, False
    except FileNotFoundError:
        form, before, new = Form(), "", True
    end = "\r\n" if "\r\n" in before else "\n"
    gap = "" if not before or before.endswith("\n") else end
    line = f"{end}  ".join(part.strip() for part in text.splitlines())
    return Addition(real, shown, Change(before, f"{before}{gap}- {line}{end}", form, new=new))


REMEMBER_COMMANDS: tuple[Command, ...] = (
    Command(
        "remember",
        USAGE,
        "add a line to AGENTS.md, seen before it is written",
        simple(_remember),
        options=TARGETS,
    ),
)
"""Those that every front end has."""
