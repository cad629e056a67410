"""`python -m tests.e2e.forks`: octochat as a new process for every line of JSON on stdin.

Each is forked from this one, which has everything imported, so that a hundred of them take seconds;
`kill` says after how many seconds it gets a SIGKILL. The answer is a line of JSON.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from typing import Any

from octochat.cli import main as cli
from octochat.frontends import headless
from octochat.models.claude import sdk as claude_sdk
from octochat.models.tokens.ruler import Ruler
from octochat.session import build as building


def child(argv: Sequence[str], stdout: str) -> None:
    """Be octochat; never return."""
    os.dup2(os.open(stdout, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 1)
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    code = cli.main(argv)
    sys.stdout.flush()
    os._exit(code)


def forked(wish: dict[str, Any]) -> dict[str, Any]:
    """Run one, and say how it ended and how long it took."""
    begun = time.monotonic()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    pid = os.fork()
    if not pid:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        child(wish["argv"], wish["stdout"])
    if not signal.sigtimedwait({signal.SIGCHLD}, wish["kill"] or 60):
        os.kill(pid, signal.SIGKILL)
        signal.sigwait({signal.SIGCHLD})
    _, status = os.waitpid(pid, 0)
    return {"code": os.waitstatus_to_exitcode(status), "seconds": time.monotonic() - begun}


def main() -> None:
    assert building
    assert claude_sdk
    assert headless
    Ruler().load()
    for line in sys.stdin:
        sys.stderr.write(json.dumps(forked(json.loads(line))) + "\n")
        sys.stderr.flush()


if __name__ == "__main__":
    main()
