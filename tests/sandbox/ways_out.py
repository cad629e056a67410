"""Thirty ways out of a sandbox, each tried with plain Python: run it, and it prints what worked.

`python ways_out.py PLACES`, where PLACES is a JSON object with the paths and numbers that a test
has made. It knows nothing of octochat.
"""

import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

PLACES: dict[str, Any] = json.loads(sys.argv[1])
FOLDER, OUTSIDE, HOME = (Path(PLACES[name]) for name in ("folder", "outside", "home"))
PARENT = int(PLACES["parent"])
WAYS: dict[str, Callable[[], object]] = {}
PTRACE_ATTACH, PTRACE_DETACH = 16, 17
BIND, REMOUNT = 4096, 32
LIBC = ctypes.CDLL(None, use_errno=True)


def way(made: Callable[[], object]) -> Callable[[], object]:
    """One way: it worked if it gives something true and raises nothing."""
    WAYS[made.__name__] = made
    return made


def _written(path: Path) -> bool:
    """Whether a file can be written, as seen where it really is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("was here")
    return True


def _secret(path: Path) -> bool:
    return "hunter2" in path.read_text(errors="replace")


def _calls(function: Any, *arguments: object) -> bool:
    return bool(function(*arguments) == 0)


# Files.
@way
def writes_beside_the_folder() -> bool:
    return _written(OUTSIDE / "made")


@way
def overwrites_a_file_beside_the_folder() -> bool:
    return _written(OUTSIDE / "there")


@way
def deletes_a_file_beside_the_folder() -> bool:
    (OUTSIDE / "to-delete").unlink()
    return True


@way
def writes_into_the_home_folder() -> bool:
    return _written(HOME / ".bashrc")


@way
def writes_through_a_symbolic_link() -> bool:
    link = FOLDER / "link"
    link.symlink_to(OUTSIDE)
    return _written(link / "through-link")


@way
def writes_through_a_hard_link() -> bool:
    link = FOLDER / "hard"
    os.link(OUTSIDE / "there", link)
    return _written(link)


@way
def opens_the_mode_of_a_file_outside() -> bool:
    (OUTSIDE / "there").chmod(0o666)
    return True


@way
def makes_a_program_that_runs_as_its_owner() -> bool:
    program = FOLDER / "as-root"
    shutil.copy("/bin/true", program)
    program.chmod(0o4755)
    status = Path("/proc/self/status").read_text()
    return "NoNewPrivs:\t0" in status


# Secrets.
@way
def reads_the_keys_of_ssh() -> bool:
    return _secret(HOME / ".ssh/id_ed25519")


@way
def reads_the_keys_of_a_cloud() -> bool:
    return _secret(HOME / ".aws/credentials")


@way
def reads_netrc() -> bool:
    return _secret(HOME / ".netrc")


@way
def reads_the_dotenv_of_the_project() -> bool:
    return _secret(FOLDER / ".env")


@way
def reads_the_dotenv_of_a_part_of_the_project() -> bool:
    return _secret(FOLDER / "api/.env.local")


@way
def reads_the_dotenv_through_a_copy_of_its_folder() -> bool:
    shutil.copytree(FOLDER / "api", FOLDER / "copy")
    return _secret(FOLDER / "copy/.env.local")


@way
def reads_a_token_from_its_environment() -> bool:
    return "hunter2" in str(os.environ)


@way
def reads_the_environment_of_its_parent() -> bool:
    return b"hunter2" in Path(f"/proc/{PARENT}/environ").read_bytes()


@way
def reads_a_secret_through_the_root_of_another_process() -> bool:
    return _secret(Path(f"/proc/{PARENT}/root{HOME}/.ssh/id_ed25519"))


@way
def reads_what_octochat_keeps() -> bool:
    return _secret(Path(PLACES["own"]) / "sessions/log.jsonl")


# What decides what runs.
@way
def writes_octochats_own_rules() -> bool:
    own = Path(PLACES["own"]) / "permissions.toml"
    own.write_text("allow = ['*']")
    return True


@way
def plants_a_git_hook() -> bool:
    return _written(FOLDER / ".git/hooks/pre-commit")


@way
def plants_a_git_hook_in_a_new_git_folder() -> bool:
    (FOLDER / ".git").rename(FOLDER / "old-git")
    return _written(FOLDER / ".git/hooks/post-checkout")


@way
def changes_the_git_configuration() -> bool:
    with (FOLDER / ".git/config").open("a") as config:
        config.write("[core]\n\tfsmonitor = touch /tmp/x\n")
    return True


@way
def changes_what_an_editor_runs() -> bool:
    return _written(FOLDER / ".vscode/tasks.json")


@way
def changes_what_ci_runs() -> bool:
    return _written(FOLDER / ".github/workflows/ci.yml")


# The network.
@way
def reaches_a_port_of_the_machine() -> bool:
    socket.create_connection(("127.0.0.1", PLACES["port"]), timeout=2).close()
    return True


@way
def reaches_a_unix_socket() -> bool:
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(PLACES["socket"])
    return True


@way
def reaches_an_abstract_socket() -> bool:
    with socket.socket(socket.AF_UNIX) as one:
        one.connect("\0" + PLACES["abstract"])
    return True


# Processes.
@way
def signals_its_parent() -> bool:
    # PARENT is a number outside; inside it is nobody's, or it is one of its own.
    os.kill(PARENT, signal.SIGUSR1)
    return _name(PARENT) == PLACES["parent_name"]


@way
def sees_the_processes_of_others() -> bool:
    return _name(PARENT) == PLACES["parent_name"]


@way
def traces_its_parent() -> bool:
    if _name(PARENT) != PLACES["parent_name"] or not _calls(
        LIBC.ptrace, PTRACE_ATTACH, PARENT, 0, 0
    ):
        return False
    os.waitpid(PARENT, 0x40000000)
    return _calls(LIBC.ptrace, PTRACE_DETACH, PARENT, 0, 0)


def _name(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")


# The system.
@way
def mounts_a_file_system() -> bool:
    target = FOLDER / "mount"
    target.mkdir()
    worked = _calls(LIBC.mount, b"none", str(target).encode(), b"tmpfs", 0, None)
    return worked and _calls(LIBC.umount2, str(target).encode(), 0)


@way
def takes_a_wall_down() -> bool:
    return _calls(LIBC.umount2, str(FOLDER / ".git/hooks").encode(), 0)


@way
def makes_the_system_writable() -> bool:
    return _calls(LIBC.mount, b"none", b"/usr", b"none", REMOUNT | BIND, None)


@way
def has_all_rights_in_a_namespace_of_its_own() -> bool:
    ran = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "true"],
        capture_output=True,
        check=False,
    )
    return ran.returncode == 0


@way
def names_the_machine() -> bool:
    name = PLACES["host"].encode()
    return _calls(LIBC.sethostname, name, len(name))


def _worked(made: Callable[[], object]) -> bool:
    try:
        return bool(made())
    except OSError:
        return False


if __name__ == "__main__":
    sys.stdout.write(json.dumps({name: _worked(made) for name, made in WAYS.items()}))
