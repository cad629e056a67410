"""A command can't read octochat's key where Linux shows what a process was started with."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.home import home

ASKED = """
import ctypes
from octochat.session.undumpable import hide_from_children
before = ctypes.CDLL(None).prctl(3, 0, 0, 0, 0)
print(before, hide_from_children(), ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has it")
def test_what_it_was_started_with_is_closed_to_its_commands() -> None:
    ran = subprocess.run([sys.executable, "-c", ASKED], capture_output=True, check=True)
    assert ran.stdout.split() == [b"1", b"True", b"0"]


OPENED = """
import ctypes
from pathlib import Path
from octochat.permissions.ask import Headless
from octochat.session.build import open_session
from octochat.session.options import Options
session = open_session(Options(Path.cwd(), model="offline"), Headless())
(bash,) = (tool for tool in session.tools if tool.name == "bash")
print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0), sorted({"A_TOKEN", "B_TOKEN"} & set(bash.env)))
print(session.engine.ports.mask_secrets)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has it")
def test_a_session_that_is_open_is_closed_and_does_with_secrets_as_it_was_told(
    tmp_path: Path,
) -> None:
    config = 'tools.pass_environment = ["B_*"]\nprivacy.mask_secrets = false'
    at = home(tmp_path, {"A_TOKEN": "a", "B_TOKEN": "b"}, config)
    ran = subprocess.run(
        [sys.executable, "-c", OPENED],
        env=at.environment,
        cwd=at.project,
        capture_output=True,
        check=True,
    )
    assert ran.stdout.decode().splitlines() == ["0 ['B_TOKEN']", "False"]
