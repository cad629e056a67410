"""What a session is permitted from the start."""

from pathlib import Path

from octochat.config.load import Config
from octochat.permissions.ask import Headless, ignore_trouble
from octochat.permissions.remembered import RememberedRules
from octochat.permissions.rules import Allowed, decide
from octochat.session.options import Options
from octochat.session.permitting import permitted
from octochat.skills.skills import discover
from octochat.tools.base import Access


def test_the_files_of_a_skill_may_be_read_whatever_signs_are_in_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "b[1]/skills/x"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: x\ndescription: y\n---\nDo it.\n")
    given = permitted(
        Options(tmp_path / "work"),
        Config(),
        RememberedRules(tmp_path / "permissions.toml", tmp_path / "work"),
        discover([folder.parent]),
        tmp_path / "scratch",
        Headless(),
        ignore_trouble,
    )
    path = folder / "notes.md"
    access = Access("read", str(path), inside=False, path=path)
    assert decide(access, "read", given.rules) == Allowed()
