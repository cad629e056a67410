"""What comes up between turns, seen in the chat at once: docs/mcp.md#when-a-server-fails."""

import os
import signal
from pathlib import Path

from tests.frontends.tui.stage import on_stage
from tests.mcp_servers.serving import stdio


def configured(folder: Path, text: str) -> None:
    file = folder / "config" / "octochat" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text(text)


async def test_a_server_that_dies_between_turns_is_a_line_at_once(tmp_path: Path) -> None:
    configured(tmp_path, stdio("git", 1, f'cwd = "{tmp_path}"'))
    async with on_stage(tmp_path) as stage:
        servers = stage.session.servers
        assert servers
        await stage.until(lambda: servers.standing[0].status == "ready")
        os.kill(server_in(tmp_path), signal.SIGKILL)
        await stage.until(lambda: "The server git went away" in stage.text())
        await stage.until(lambda: servers.standing[0].status == "ready")
        os.kill(server_in(tmp_path), signal.SIGKILL)
        await stage.until(lambda: "The server git is not there" in stage.text())
        await stage.says("hello")
        assert stage.text().count("The server git is not there") == 1


def server_in(folder: Path) -> int:
    """The process that works in a folder."""
    for place in Path("/proc").glob("[0-9]*/cwd"):
        try:
            command = (place.parent / "cmdline").read_bytes()
            if b"tests.mcp_servers" in command and place.readlink() == folder:
                return int(place.parent.name)
        except OSError:
            continue
    raise AssertionError(f"no server runs in {folder}")


async def test_the_hooks_of_the_end_hear_how_the_person_left(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    command = f"cat >> {heard}; echo >> {heard}"
    configured(tmp_path, f'[[hooks.SessionEnd]]\ncommand = "{command}"\n')
    async with on_stage(tmp_path) as stage:
        await stage.says("hello")
        first = stage.session
        await stage.types("/clear")
        await stage.until(lambda: stage.session is not first)
        await stage.says("hello again")
        await stage.app.action_quit()
    assert [line.partition('"reason": ')[2][:20] for line in heard.read_text().splitlines()] == [
        '"clear"}',
        '"prompt_input_exit"}',
    ]
