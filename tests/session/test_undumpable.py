"""A command can't read octochat's key where Linux shows what a process was started with."""

import subprocess
import sys

import pytest

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
