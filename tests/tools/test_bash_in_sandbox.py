"""The shell in a sandbox, as the model meets it."""

import random
import subprocess
from pathlib import Path

import pytest

from octochat.sandbox.settings import SandboxSettings
from tests.sandbox.ground import needs_sandbox, sandbox
from tests.tools.toolbox import Toolbox, toolbox

pytestmark = needs_sandbox


def repository(folder: Path) -> None:
    subprocess.run(["git", "init", "-q", folder], check=True)


def runs(command: str) -> bool:
    """Whether a process with exactly this command line runs."""
    listed = ["pgrep", "-f", f"^{command}$"]
    return subprocess.run(listed, capture_output=True, check=False).returncode == 0


def walled(tmp_path: Path, settings: SandboxSettings | None = None) -> Toolbox:
    return toolbox(tmp_path, sandbox=sandbox(tmp_path, settings))


async def test_commands_change_the_folder_and_nothing_else_and_state_lasts(tmp_path: Path) -> None:
    box = walled(tmp_path)
    assert await box.prints("mkdir a; cd a; x=5; echo $x > b; cat b") == "5"
    assert await box.prints("pwd; echo $x") == f"{box.folder}/a\n5"
    assert (box.folder / "a/b").read_text() == "5\n"
    failed = await box.text("bash", command=f"touch {tmp_path}/c; touch /usr/octochat-was-here")
    assert "outside: true" in failed
    assert not (tmp_path / "c").exists()
    await box.close()


async def test_a_command_inside_needs_no_question_unless_the_network_is_there(
    tmp_path: Path,
) -> None:
    assert walled(tmp_path).access("bash", command="make").sandboxed
    networked = walled(tmp_path, SandboxSettings("auto", network=True))
    assert not networked.access("bash", command="make").sandboxed


async def test_a_command_runs_outside_once_where_the_shell_is_and_with_a_reason(
    tmp_path: Path,
) -> None:
    box = walled(tmp_path)
    await box.prints("mkdir a; cd a")
    assert "reason" in await box.failure("bash", command="true", outside=True)
    access = box.access("bash", command="true", outside=True, reason="it needs the network")
    assert not access.sandboxed
    assert access.outside == "it needs the network"
    said = await box.prints(f"pwd; touch {tmp_path}/c; cd /", outside=True, reason="to see it")
    assert said == f"{box.folder}/a"
    assert (tmp_path / "c").exists()
    assert await box.prints("pwd") == f"{box.folder}/a"
    await box.close()


async def test_the_model_is_told_of_the_way_out_only_where_there_is_a_sandbox(
    tmp_path: Path,
) -> None:
    assert "outside" in walled(tmp_path).tools["bash"].spec.schema["properties"]  # pyright: ignore[reportOperatorIssue]
    assert "outside" not in toolbox(tmp_path).tools["bash"].spec.schema["properties"]  # pyright: ignore[reportOperatorIssue]


@pytest.mark.parametrize("name", [".mcp.json", ".vscode/tasks.json", ".git/commondir"])
async def test_what_decides_what_runs_is_put_aside_where_it_is_new(
    tmp_path: Path, name: str
) -> None:
    box = walled(tmp_path)
    repository(box.folder)
    said = await box.text("bash", command=f"mkdir -p $(dirname {name}); echo x > {name}")
    assert "put aside" in said
    assert not (box.folder / name).exists()
    assert len(list(box.folder.rglob("*.put-aside"))) == 1
    await box.close()


async def test_a_wall_that_was_replaced_from_outside_is_put_up_anew(tmp_path: Path) -> None:
    box = walled(tmp_path)
    secret = box.folder / ".env"
    secret.write_text("KEY=1")
    assert await box.prints("x=1; cat .env; echo $x") == "1"
    (box.folder / "new").write_text("KEY=2")
    (box.folder / "new").replace(secret)
    said = await box.prints("cat .env; echo .$x.")
    assert said.startswith("[a file that the sandbox keeps away")
    assert said.endswith("\n..")
    await box.close()


async def test_the_walls_go_with_the_shell_and_all_that_it_started(tmp_path: Path) -> None:
    box = walled(tmp_path)
    sleep = f"sleep 77{random.randrange(10**9)}"
    began = f"until pgrep -xf '{sleep}' >/dev/null; do :; done"
    await box.prints(f"setsid {sleep} >/dev/null 2>&1 & {began}")
    assert runs(sleep)
    await box.close()
    assert not runs(sleep)
