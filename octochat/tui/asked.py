"""What an approval shows: who wants what, in full. It knows nothing of how it is answered."""

import json
from collections.abc import Sequence

from textual.content import Content

from octochat.commandline import simple_commands
from octochat.permissions import Approval
from octochat.rules import Rule
from octochat.terminal import visible
from octochat.tools.base import Access
from octochat.tui.page import FAINT, styled

ADDED, REMOVED, HEAD = "$text-success", "$text-error", "$text-primary"
SHOWN = 3
"""Past calls named for a rule; the others are counted."""


def title_of(approval: Approval) -> str:
    """Who wants to do what, in a few words."""
    access, name = approval.access, approval.call.name
    where = "" if access.inside else ", outside the working folder"
    match access.kind:
        case "run":
            return f"{name} wants to run this"
        case "write":
            return f"{name} wants to change {visible(access.target)}{where}"
        case "read":
            return f"{name} wants to read {visible(access.target)}{where}"
        case "none":
            return f"{name} asks"


def body_of(approval: Approval) -> Content:
    """All that is known of what would happen."""
    access = approval.access
    match access.kind:
        case "run" if access.target:
            return _command(access.target)
        case "write" if access.preview:
            return diff(access.preview.splitlines())
        case _:
            return _arguments(approval)


def diff(lines: Sequence[str]) -> Content:
    """Lines of a unified diff in colour, each with its sign."""
    looks = {
        "+": f"{ADDED} on $success 12%",
        "-": f"{REMOVED} on $error 12%",
        "@": HEAD,
        "\\": FAINT,
    }
    shown = [line for line in lines if not line.startswith(("--- ", "+++ "))]
    return Content("\n").join(
        Content.styled(visible(line).expandtabs(4), looks.get(line[:1], "")) for line in shown
    )


def covered(rule: Rule, past: Sequence[Access]) -> str:
    """Which of the earlier calls a rule would have allowed, in words."""
    if rule.pattern == "":
        head = f"every call of {rule.tool}"
    elif not past:
        return "none of the calls so far"
    else:
        head = ""
    names = list(dict.fromkeys(" ".join(visible(access.target).split()) for access in past))
    if not names:
        return head
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    said = f"{len(names)} so far: {', '.join(names[:SHOWN])}{more}"
    return f"{head}; {said}" if head else said


def _command(line: str) -> Content:
    shown = visible(line)
    parts: list[Content] = [
        styled((("$ " if not number else "  "), FAINT), (row, "bold"))
        for number, row in enumerate(shown.split("\n"))
    ]
    commands = simple_commands(line)
    if commands is None:
        parts.append(
            Content.styled("It can't be told for sure what all of this would run.", "$text-warning")
        )
    elif len(commands) > 1:
        parts.append(Content.styled(f"{len(commands)} commands:", FAINT))
        parts += [
            styled((f"  {number}  ", FAINT), visible(" ".join(command.words)))
            for number, command in enumerate(commands, 1)
        ]
    return Content("\n").join(parts)


def _arguments(approval: Approval) -> Content:
    rows: list[Content] = []
    for name, value in approval.call.arguments.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
        rows.append(styled((f"{visible(name)}: ", FAINT), visible(text)))
    return Content("\n").join(rows) if rows else Content(visible(approval.access.target))
