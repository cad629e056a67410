"""The hooks that run here: the person's, and those of files that the person trusts as they stand.

Source: docs/hooks.md#where-hooks-stand.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from octochat.config.hook_scripts import scripts_in
from octochat.config.load import ANSWERS, Loaded, user_file
from octochat.config.project_trust import Answers, Claim, digest_of
from octochat.hooks.hook import EVENTS, Hook
from octochat.hooks.settings_file import hooks_in
from octochat.project.root import down_to
from octochat.project.text_file import UnusableFileError, read_text_file
from octochat.text.figures import count

LARGEST = 256 * 1024
"""Bytes of a settings.json."""


@dataclass(frozen=True, slots=True)
class FoundHooks:
    """What was found, trusted or not."""

    hooks: tuple[Hook, ...] = ()
    """Those that run."""
    waiting: tuple[Hook, ...] = ()
    """Those that do not, for nobody trusts their file."""
    claims: tuple[Claim, ...] = ()
    """Files that somebody may trust, with what they want."""
    notices: tuple[str, ...] = ()
    """What a person should know of them, one line each."""
    project: Path = Path()
    """What `CLAUDE_PROJECT_DIR` says."""


def find_hooks(loaded: Loaded, folder: Path, root: Path) -> FoundHooks:
    """All hooks for working in `folder`, canonical, of the repository `root`."""
    named = loaded.config.hooks
    own = [
        each.hook(event, str(loaded.written.get(f"hooks.{event}", "")))
        for event in EVENTS
        for each in named.get(event, ())
    ]
    project = next((p for p in reversed(down_to(folder, root)) if (p / ".claude").is_dir()), root)
    if loaded.alone:
        return FoundHooks(tuple(own), project=project)
    trusts = loaded.trusts(folder) or loaded.trusts(root)
    answers = Answers(user_file().with_name(ANSWERS))
    hooks, waiting, claims, notices = own, list[Hook](), list[Claim](), list[str]()
    for file in _files(project):
        claim, found, troubles = _read(file, project)
        notices += (f"{file}: {trouble}." for trouble in troubles)
        if not found:
            continue
        answer = answers.of(file, claim.digest)
        if answer or (trusts and file.is_relative_to(project)):
            hooks += found
        else:
            waiting += found
            claims.append(claim)
            if answer is None:
                notices.append(
                    f"{file}: {count(len(found), 'hook')} of it will not run, for nobody has "
                    "trusted it. /trust shows and takes it."
                )
    return FoundHooks(tuple(hooks), tuple(waiting), tuple(claims), tuple(notices), project)


def _files(project: Path) -> Iterable[Path]:
    places = (Path.home(), project)
    files = [places[0] / ".claude" / "settings.json"]
    files += (project / ".claude" / name for name in ("settings.json", "settings.local.json"))
    return dict.fromkeys(files)


def _read(file: Path, project: Path) -> tuple[Claim, list[Hook], Iterable[str]]:
    try:
        text = read_text_file(file, LARGEST).text
    except FileNotFoundError:
        return Claim(file, ""), [], ()
    except UnusableFileError as error:
        return Claim(file, ""), [], (str(error),)
    found, troubles = hooks_in(text, str(file))
    inside = file.is_relative_to(project)
    lines = [" ".join((hook.command, *(hook.args or ()))) for hook in found]
    scripts = scripts_in(lines, project) if inside else ""
    wants = tuple(
        f"{h.event} {h.matcher or '*'}: {line}" for h, line in zip(found, lines, strict=True)
    )
    return Claim(file, digest_of(text + scripts), wants, text), list(found), troubles
