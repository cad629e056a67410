"""Why a call does not run, in words for the model, and what runs instead.

Each case has a sentence of its own (docs/permissions.md#what-the-model-is-told). Nobody is asked
here.
"""

import shlex
from collections.abc import Iterable, Iterator

from octochat.permissions.commandline import simple_commands
from octochat.permissions.modes import Mode
from octochat.permissions.rule import Rule
from octochat.permissions.rules import Ask, Rules, about_some
from octochat.permissions.widths import runs, widths
from octochat.text.harmless import one_line
from octochat.tools.base import Access

LONGEST = 80
"""Characters of a command that are named."""
MOST = 8
"""Rules that are named; the rest is counted."""
_UNSEEN = "a variable, a loop, a substitution, or sh, eval, sudo and the like"
_PLAIN = "Plain commands are looked at one by one, so they fare better."


def said_no(reason: str) -> str:
    """The person was asked and said no."""
    return f"the person did not allow it{f': {reason}' if reason else ''}"


def denied(why: str, access: Access, tool: str, rules: Rules, mode: Mode) -> str:
    """A rule denies it, and nobody was asked."""
    return "\n".join((why, *_nearest(access, tool, rules, mode)))


def unasked(asks: Ask, access: Access, tool: str, rules: Rules, mode: Mode) -> str:
    """Somebody would have to be asked, and in this run nobody can be."""
    if asks.hides:
        why = (
            f"this command line has {_UNSEEN}, which could do what the rule {asks.hides} in "
            "[permissions] deny forbids"
        )
    elif asks.wants:
        why = f"the rule {asks.wants} in [permissions] ask leaves it to a person"
    else:
        why = _no_rule(access, tool, rules)
    nearest = _nearest(access, tool, rules, mode)
    allowed = f"Allowed are: {'; '.join(without_asking(rules, mode))}."
    return "\n".join((f"this run allows no questions, and {why}", *nearest, allowed))


def still_asked(chosen: Rule, tool: str, rules: Rules) -> Rule | None:
    """The rule that denies, for which some commands are asked about though all are allowed."""
    if chosen.pattern or chosen.tool not in ("*", tool):
        return None
    return next((rule for rule in rules.deny if about_some(rule, tool)), None)


def told_to_model(tool: str, denying: Rule) -> str:
    """What the model hears when every call of a tool for commands is allowed."""
    return (
        f"[Every call of {tool} is allowed now, but for command lines with {_UNSEEN}: they are "
        f"still asked about, because the rule {denying} denies. {_PLAIN}]"
    )


def told_to_person(tool: str, denying: Rule) -> str:
    """What the person hears then."""
    return (
        f"Every call of {tool} is allowed now. You are still asked about command lines with "
        f"{_UNSEEN}: they could do what your rule {denying} denies."
    )


def without_asking(rules: Rules, mode: Mode) -> Iterator[str]:
    """What runs without a question, a few words each."""
    if mode == "allow-all":
        yield "everything that no rule denies"
        return
    by_command = ", by cat too" if mode != "read-only" else ""
    yield f"reading in the working folder{by_command}"
    if mode in ("ask", "accept-edits") and rules.scratch:
        yield "all files in the scratch folder"
    if mode == "accept-edits":
        yield "changing files in the working folder"
    allow = rules.allow if mode != "read-only" else [r for r in rules.allow if r.tool == "read"]
    if allow:
        yield _listed(allow)


def _no_rule(access: Access, tool: str, rules: Rules) -> str:
    exact, *others = widths(access, tool, rules)
    wider = others[0] if others and access.kind == "run" else exact
    flags = " ".join(f"--allow {shlex.quote(str(rule))}" for rule in wider)
    outside = (
        "" if access.inside or access.path is None else ", which is outside the working folder"
    )
    call = f"{wider[0].tool}({one_line(access.target)[:LONGEST]})"
    return f"no rule allows {call}{outside}; {flags} at the start would"


def _nearest(access: Access, tool: str, rules: Rules, mode: Mode) -> Iterator[str]:
    """What comes nearest to the call and may run, as a sentence, if anything does."""
    if access.kind != "run":
        if like := [rule for rule in rules.allow if rule.tool == access.kind]:
            yield f"Allowed to {access.kind}: {_listed(like)}."
        return
    parts = simple_commands(access.target)
    if parts is None:
        yield _PLAIN
        return
    free = [part.line for part in parts if runs(part, tool, rules, mode)]
    if free:
        yield f"Allowed of it: {', '.join(dict.fromkeys(free))}."
    names = {part.name for part in parts if part.line not in free}
    like = [rule for rule in rules.allow if rule.tool == tool and set(rule.words[:1]) & names]
    if like:
        yield f"Allowed and near it: {_listed(like)}."


def _listed(rules: Iterable[Rule]) -> str:
    named = list(dict.fromkeys(map(str, rules)))
    more = f" and {len(named) - MOST} more" if len(named) > MOST else ""
    return ", ".join(named[:MOST]) + more
