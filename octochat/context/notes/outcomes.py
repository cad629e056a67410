"""What came of a command, read from its result in the words of the agents that we know."""

import re
from functools import lru_cache

_EXIT = re.compile(
    r"^Exit code:? (\d+)|exited with (?:code|status) (-?\d+)|<returncode>(-?\d+)"
    r"|exit code (-?\d+)|^Exit status (\d+)|\"exit_code\": ?(-?\d+)"
    r"|^\[exit (-?\d+) in |^\[exit status (\d+)\]",
    re.MULTILINE,
)
_ENDS = 600
"""Characters at either end of a result where it says how the command ended."""
_ENDINGS = {
    "refused": re.compile(
        r"did not allow it|doesn't want to (?:proceed|take this action)|permission denied by|"
        r"was rejected|no rule allows|not permitted to run|allows no questions|"
        r"\[permissions\] deny forbids",
        re.IGNORECASE,
    ),
    "interrupted": re.compile(
        r"^\[?(?:interrupted(?: by|: octochat)|not run: (?:the person|octochat)|"
        r"request interrupted|the command was aborted)|"
        r"\[Request interrupted",
        re.IGNORECASE | re.MULTILINE,
    ),
    "timed out": re.compile(
        r"timed out after|took longer than \d|command timed out", re.IGNORECASE
    ),
}


def outcome(output: str, *, failed: bool) -> str:
    """`exit 1`, `refused`, `interrupted`, `timed out`; empty where nothing tells of a failure."""
    return _outcome(output[:_ENDS], output[-_ENDS:], failed)


@lru_cache(maxsize=8_192)
def _outcome(begins: str, ends: str, failed: bool) -> str:
    if failed:
        for name, words in _ENDINGS.items():
            if words.search(f"{begins}\n{ends}"):
                return name
    found = [*_EXIT.findall(begins), *_EXIT.findall(ends)]
    status = int(next(filter(None, found[-1]))) if found else int(failed)
    return f"exit {status}" if status else ""
