"""Why a call does not run: every case has its own true sentence, and says what runs instead."""

from dataclasses import replace
from pathlib import Path

import pytest

from octochat.context.session.content import ToolCall
from octochat.permissions.ask import (
    AllowSession,
    Approval,
    Deny,
    Headless,
    Permissions,
    Verdict,
)
from octochat.permissions.rule import parse
from octochat.permissions.rules import Mode, Rules
from octochat.tools.base import Access, Permitted
from tests.permissions.test_rules import at, rules, run

CALL = ToolCall("c1", "bash", {})
READING = "reading in the working folder, by cat too"


class Says:
    """Someone who gives one answer."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict

    async def ask(self, approval: Approval) -> Verdict:
        return self.verdict


async def refusal(access: Access, given: Rules, mode: Mode = "ask") -> list[str]:
    """The lines of what the model hears where nobody can be asked."""
    tool = "bash" if access.kind == "run" else access.kind
    said = await Permissions(given, Headless(), mode=mode).check(tool, CALL, access)
    assert isinstance(said, str)
    return said.split("\n")


@pytest.mark.parametrize(
    ("access", "first"),
    [
        (run("cc -l"), "no rule allows bash(cc -l); --allow 'bash(cc *)' at the start would"),
        (
            run("make 'a' | b"),
            (
                "no rule allows bash(make 'a' | b); --allow 'bash(make a *)' --allow 'bash(b *)' "
                "at the start would"
            ),
        ),
        (
            at("write", "src/a"),
            "no rule allows write(src/a); --allow 'write(src/a)' at the start would",
        ),
        (
            at("read", "/etc/passwd"),
            (
                "no rule allows read(/etc/passwd), which is outside the working folder; "
                "--allow 'read(/etc/passwd)' at the start would"
            ),
        ),
    ],
)
async def test_where_nobody_can_be_asked_the_missing_rule_and_the_flag_are_named(
    access: Access, first: str
) -> None:
    assert await refusal(access, rules()) == [
        f"this run allows no questions, and {first}",
        f"Allowed are: {READING}.",
    ]


async def test_the_rules_that_allow_are_named_and_no_more_than_fit() -> None:
    def named(count: int) -> str:
        return ", ".join(f"bash(tool{n} *)" for n in range(count))

    for count, more in ((8, ""), (9, " and 1 more")):
        last = (await refusal(run("cc"), rules(allow=named(count))))[-1]
        assert last == f"Allowed are: {READING}; {named(8)}{more}."


async def test_a_long_command_of_many_lines_is_named_by_its_beginning_on_one_line() -> None:
    first = (await refusal(run("make \\\n" + "x" * 500), rules()))[0]
    shown = f"make \\␊{'x' * 500}"[:80]
    assert first.startswith(f"this run allows no questions, and no rule allows bash({shown}); ")


async def test_of_a_compound_command_the_parts_that_may_run_and_the_rules_near_it_are_named() -> (
    None
):
    given = rules(allow="bash(git log *), bash(git diff *), bash(ls)")
    lines = await refusal(run("git log -3 && git push origin 'a b'"), given)
    assert "Allowed of it: git log -3." in lines
    assert "Allowed and near it: bash(git log *), bash(git diff *)." in lines


async def test_near_a_command_are_the_rules_for_its_program() -> None:
    given = rules(allow="bash(git log *), bash(make x), bash(make y), bash(echo make)")
    lines = await refusal(run("git log -3; make"), given)
    assert lines[1:-1] == [
        "Allowed of it: git log -3.",
        "Allowed and near it: bash(make x), bash(make y).",
    ]


async def test_what_cannot_be_looked_through_is_better_split() -> None:
    lines = await refusal(run("for i in *; do wc $i; done"), rules(allow="bash", deny="bash(rm *)"))
    assert lines[0].startswith("this run allows no questions, and this command line has a variable")
    assert "the rule bash(rm *) in [permissions] deny" in lines[0]
    assert lines[1].startswith("Plain commands are looked at one by one")


async def test_a_rule_that_wants_a_person_is_named() -> None:
    first = (await refusal(run("git push"), rules(allow="bash", ask="bash(git push *)")))[0]
    assert first == (
        "this run allows no questions, and the rule bash(git push *) in [permissions] ask leaves "
        "it to a person"
    )


@pytest.mark.parametrize("somebody", [Headless(), Says(Deny())])
async def test_a_denied_call_names_the_rule_and_what_comes_nearest(somebody: Says) -> None:
    given = rules(allow="bash(git *), write(src/**)", deny="bash(git push *), write(src/key)")
    permissions = Permissions(given, somebody)
    assert await permissions.check("bash", CALL, run("git push; git log")) == (
        "the rule bash(git push *) in [permissions] deny forbids it\n"
        "Allowed of it: git log.\nAllowed and near it: bash(git *)."
    )
    assert await permissions.check("write", CALL, at("write", "src/key")) == (
        "the rule write(src/key) in [permissions] deny forbids it\nAllowed to write: write(src/**)."
    )


async def test_read_only_and_a_persons_no_are_told_as_what_they_are() -> None:
    given = rules(allow="bash")
    read_only = await Permissions(given, Headless(), mode="read-only").check("bash", CALL, run("x"))
    assert read_only == "octochat runs with --read-only: nothing may be written or run"
    asked = Permissions(rules(), Says(Deny("use the dry run")))
    assert await asked.check("bash", CALL, run("x")) == (
        "the person did not allow it: use the dry run"
    )


async def test_what_is_allowed_in_the_mode_is_told() -> None:
    outside = at("read", "/etc/a")
    given = rules(allow="bash(ls), read(/usr/**)")
    assert (await refusal(outside, given, "read-only"))[-1] == (
        "Allowed are: reading in the working folder; read(/usr/**)."
    )
    scratched = replace(given, scratch=Path("/scratch"))
    rest = "bash(ls), read(/usr/**)"
    assert (await refusal(outside, scratched))[-1] == (
        f"Allowed are: {READING}; all files in the scratch folder; {rest}."
    )
    assert (await refusal(outside, scratched, "accept-edits"))[-1] == (
        f"Allowed are: {READING}; all files in the scratch folder; "
        f"changing files in the working folder; {rest}."
    )
    assert (await refusal(outside, scratched, "read-only"))[-1] == (
        "Allowed are: reading in the working folder; read(/usr/**)."
    )
    hidden = await refusal(run("$X"), rules(deny="bash(rm *)"), "allow-all")
    assert hidden[-1] == "Allowed are: everything that no rule denies."


async def test_whoever_allows_every_command_hears_for_what_questions_still_come() -> None:
    told: list[str] = []
    given = rules(deny="read(x), bash(rm *)")
    every = Permissions(given, Says(AllowSession((parse("bash"),))), tell=told.append)
    answer = await every.check("bash", CALL, run("cc"))
    assert isinstance(answer, Permitted)
    assert "a variable, a loop" in answer.note
    assert "bash(rm *)" in answer.note
    (said,) = told
    assert said == (
        "Every call of bash is allowed now. You are still asked about command lines with a "
        "variable, a loop, a substitution, or sh, eval, sudo and the like: they could do "
        "what your rule bash(rm *) denies."
    )


@pytest.mark.parametrize(
    ("chosen", "deny"), [("bash(ls *)", "bash(rm *)"), ("bash", "read(x)"), ("bash", "")]
)
async def test_there_is_nothing_to_say_where_all_that_is_chosen_is_allowed(
    chosen: str, deny: str
) -> None:
    told: list[str] = []
    somebody = Says(AllowSession((parse(chosen),)))
    permissions = Permissions(rules(deny=deny), somebody, tell=told.append)
    assert await permissions.check("bash", CALL, run("cc")) is None
    assert told == []


async def test_a_fault_is_told_as_it_is() -> None:
    doomed = replace(at("write", "a"), fault="old_string is not in a")
    assert await Permissions(rules(), Headless()).check("edit", CALL, doomed) == doomed.fault
