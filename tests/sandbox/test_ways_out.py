"""Nothing gets out of the sandbox; without it the same script gets out nearly everywhere."""

import contextlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Generator, Mapping
from pathlib import Path

import pytest

from octochat.sandbox.sandbox import Sandbox
from octochat.sandbox.settings import SandboxSettings
from tests.sandbox.ground import ground, needs_sandbox

SCRIPT = Path(__file__).with_name("ways_out.py")
PYTHON = str(Path(sys.executable).resolve())
"""Not that of a virtual environment, which may lie in the temporary folder, and that is another one
inside."""
SECRET = "hunter2"
NEEDS_RIGHTS = {
    "mounts_a_file_system",
    "takes_a_wall_down",
    "makes_the_system_writable",
    "has_all_rights_in_a_namespace_of_its_own",
    "names_the_machine",
    "traces_its_parent",
}
"""What not every system lets everybody do, sandbox or not."""


def files(place: Path, *names: str, text: str = SECRET) -> None:
    for name in names:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)


@pytest.fixture
def outside() -> Generator[Path]:
    """A folder that is not under /tmp, which the sandbox replaces by its own."""
    folder = Path(f"/var/octochat-test-{os.getpid()}")
    try:
        folder.mkdir()
    except OSError:
        pytest.skip("there is no folder outside of /tmp where this test may write")
    yield folder
    subprocess.run(["rm", "-rf", folder], check=True)


@contextlib.contextmanager
def listening(folder: Path) -> Generator[Mapping[str, object]]:
    """A port, a socket in the file system, and one without a file."""
    abstract = f"octochat-test-{os.getpid()}"
    with (
        socket.create_server(("127.0.0.1", 0)) as port,
        socket.socket(socket.AF_UNIX) as one,
        socket.socket(socket.AF_UNIX) as other,
    ):
        one.bind(str(folder / "agent.sock"))
        other.bind(f"\0{abstract}")
        one.listen()
        other.listen()
        yield {
            "port": port.getsockname()[1],
            "socket": str(folder / "agent.sock"),
            "abstract": abstract,
        }


def world(outside: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Sandbox, dict[str, object]]:
    """A home, a project with a repository, and all that they should keep."""
    around = ground(outside)
    home = outside / "home"
    files(home, ".ssh/id_ed25519", ".aws/credentials", ".netrc")
    files(around.own[0], "sessions/log.jsonl", "permissions.toml")
    files(around.folder, ".env", "api/.env.local", ".vscode/tasks.json")
    files(around.folder, ".github/workflows/ci.yml", text="on: push")
    subprocess.run(["git", "init", "-q", around.folder], check=True)
    files(outside, "there", "to-delete")
    monkeypatch.setenv("HOME", str(home))
    places = {"folder": around.folder, "outside": outside, "home": home, "own": around.own[0]}
    return Sandbox(SandboxSettings("auto"), around), {k: str(path) for k, path in places.items()}


def tried(places: Mapping[str, object], sandbox: Sandbox | None) -> Mapping[str, bool]:
    """Which ways out work. Their parent is a process that lives only for them."""
    env = {**os.environ, "HOME": str(places["home"]), "MY_API_TOKEN": SECRET}
    parent = subprocess.Popen(
        ["sh", "-c", "trap : USR1; echo ready; while :; do sleep 1; done"],
        env=env,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert parent.stdout
    assert parent.stdout.readline() == b"ready\n"
    name = Path(f"/proc/{parent.pid}/cmdline").read_bytes().decode()
    given = {**places, "parent": parent.pid, "parent_name": name, "host": os.uname().nodename}
    try:
        within = sandbox.put_up(env) if sandbox else None
        ran = subprocess.run(
            [*(within.words if within else ()), PYTHON, "-"],
            input=f"import sys; sys.argv[1:] = [{json.dumps(given)!r}]\n{SCRIPT.read_text()}",
            env=within.env if within else env,
            cwd=str(places["folder"]),
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        os.killpg(parent.pid, 9)
        parent.communicate()
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@needs_sandbox
def test_no_way_out_of_the_sandbox_works(outside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox, places = world(outside, monkeypatch)
    with listening(outside) as sockets:
        got = tried({**places, **sockets}, sandbox)
    assert len(got) >= 30
    assert [name for name, worked in got.items() if worked] == []
    assert (outside / "there").read_text() == SECRET
    assert not (outside / "made").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="it looks at /proc")
def test_without_it_each_way_works_that_the_system_leaves_open(
    outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, places = world(outside, monkeypatch)
    with listening(outside) as sockets:
        got = tried({**places, **sockets}, None)
    assert [name for name, worked in got.items() if not worked and name not in NEEDS_RIGHTS] == []
