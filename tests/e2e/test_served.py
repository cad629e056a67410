"""octochat in a browser, as textual-serve drives it: its pipes are the screen."""

import json
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from tests.e2e.home import home


def packet(kind: bytes, payload: bytes) -> bytes:
    return kind + len(payload).to_bytes(4, "big") + payload


def packets(out: IO[bytes]) -> bytes:
    """The payload of the next packet; nothing at the end."""
    head = out.read(5)
    return out.read(int.from_bytes(head[1:], "big")) if len(head) == 5 else b""


@pytest.mark.parametrize("last", [packet(b"M", json.dumps({"type": "quit"}).encode()), b""])
def test_the_chat_opens_in_a_browser_takes_keys_and_leaves_with_the_page_or_the_server(
    tmp_path: Path, last: bytes
) -> None:
    at = home(tmp_path)
    served = {
        "TEXTUAL_DRIVER": "textual.drivers.web_driver:WebDriver",
        "TERM_PROGRAM": "textual",
        "COLUMNS": "80",
        "ROWS": "24",
    }
    with subprocess.Popen(
        [sys.executable, "-m", "octochat", "--model", "offline"],
        env=at.environment | served,
        cwd=at.project,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as page:
        assert page.stdin
        assert page.stdout
        assert page.stdout.readline() == b"__GANGLION__\n"
        seen = b""
        while b"Ask anything" not in seen:
            seen += packets(page.stdout)
        page.stdin.write(packet(b"D", b"written in a browser"))
        page.stdin.flush()
        while b"browser" not in seen:
            seen += packets(page.stdout)
        page.stdin.write(last)
        _, complaints = page.communicate(timeout=60)
    assert (page.returncode, complaints) == (0, b"")
