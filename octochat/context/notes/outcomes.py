"""What came of a command, read from its result in the words of the agents that we know."""

import re

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


def exit_status(output: str, *, failed: bool) -> int | None:
    """The exit status that a shell result tells, in the words of the agents that we know."""
    found = [*_EXIT.findall(output[:600]), *_EXIT.findall(output[-600:])]
    if found:
        return int(next(filter(None, found[-1])))
    return 1 if failed else None


def outcome(output: str, *, failed: bool) -> str:
    """`exit 1`, `refused`, `interrupted`, `timed out`; empty where nothing tells of a failure."""
    ends = f"{output[:_ENDS]}\n{output[-_ENDS:]}"
    if failed:
        for name, words in _ENDINGS.items():
            if words.search(ends):
                return name
    status = exit_status(output, failed=failed)
    return f"exit {status}" if status else ""
