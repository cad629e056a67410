"""What an approval shows: who wants what, in full. It knows nothing of how it is answered."""

import json
from collections.abc import Sequence

from textual.content import Content

from octochat.frontends.tui.render.blocks import FAINT, Block, styled
from octochat.frontends.tui.render.diff import numbered
from octochat.permissions.ask import Approval
from octochat.permissions.commandline import simple_commands
from octochat.permissions.widths import Width
from octochat.text.harmless import visible
from octochat.tools.base import Access

INDENT = Content("  ")
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
            verb = "create" if access.makes_file else "change"
            where = "" if approval.dangers else where  # they say so
            return f"{name} wants to {verb} {visible(access.target)}{where}"
        case "read":
            return f"{name} wants to read {visible(access.target)}{where}"
        case "call" | "none":
            return f"{name} wants to run"


def body_of(approval: Approval) -> Sequence[Block]:
    """All that is known of what would happen."""
    access = approval.access
    marks = [_danger(words) for words in approval.dangers]
    match access.kind:
        case "run" if access.target:
            return [*marks, *_command(access.target)]
        case "write" if access.preview:
            return [*marks, *(numbered(access.preview) or [_text(access.preview.strip())])]
        case _:
            return [*marks, *_arguments(approval)]


def _danger(words: str) -> Block:
    """A line that warns."""
    return Block(
        Content.styled(f"This {words}.", "$text-error bold"),
        lead=styled(("! ", "$text-error bold")),
        hang=INDENT,
        wrap="words",
    )


def covered(rules: Width, past: Sequence[Access]) -> str:
    """Which of the earlier calls these rules would have allowed, in words."""
    if every := [rule.tool for rule in rules if rule.pattern == ""]:
        head = f"every call of {every[0]}"
    elif not past:
        return "no earlier call"
    else:
        head = ""
    names = list(dict.fromkeys(" ".join(visible(access.target).split()) for access in past))
    if not names:
        return head
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    said = f"{len(names)} so far: {', '.join(names[:SHOWN])}{more}"
    return f"{head}; {said}" if head else said


def _command(line: str) -> Sequence[Block]:
    shown = visible(line).expandtabs(4)
    blocks = [
        Block(
            Content.styled(row, "bold"),
            lead=styled((" " if number else "$", FAINT), " "),
            hang=INDENT,
            wrap="words" if " " in row else "code",
        )
        for number, row in enumerate(shown.split("\n"))
    ]
    commands = simple_commands(line)
    if commands is None:
        unsure = "octochat can't tell for sure what all of this would run."
        blocks.append(Block(Content.styled(unsure, "$text-warning"), lead=INDENT, hang=INDENT))
    elif len(commands) > 1 and [command.line for command in commands] != _lines(line):
        blocks.append(Block(Content.styled(f"{len(commands)} commands:", FAINT), lead=INDENT))
        blocks += [
            _text(command.line, f"  {number}  ") for number, command in enumerate(commands, 1)
        ]
    return blocks


def _lines(text: str) -> Sequence[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]


def _arguments(approval: Approval) -> Sequence[Block]:
    blocks: list[Block] = []
    for name, value in approval.call.arguments.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
        blocks.append(Block(styled((f"{visible(name)}: ", FAINT), visible(text)), hang=INDENT))
    return blocks or [_text(approval.access.target)]


def _text(text: str, lead: str = "") -> Block:
    hang = Content(" " * len(lead))
    return Block(Content(visible(text).expandtabs(4)), lead=styled((lead, FAINT)), hang=hang)
