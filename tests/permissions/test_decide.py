"""What rules say of calls of each kind: exact lines, tools of servers, files that lines touch."""

from dataclasses import replace
from pathlib import Path

import pytest

from octochat.permissions.rule import parse
from octochat.permissions.rules import Allowed, Ask, Denied, Mode, Rules, decide, protects
from octochat.tools.base import Access
from tests.permissions.test_rules import FOLDER, at, rules, run, verdict

LOOP = "for i in 1; do wc $i; done"


def test_a_line_that_cannot_be_looked_through_runs_if_exactly_it_is_allowed() -> None:
    assert verdict(LOOP, rules(f"bash({LOOP})", deny="bash(rm *)")) == "Allowed"
    assert verdict(f" {LOOP}\n", rules(f"bash({LOOP})", deny="bash(rm *)")) == "Allowed"
    assert verdict(LOOP, rules(f"bash({LOOP})")) == "Allowed"
    assert verdict(LOOP, rules("bash(for *)", deny="bash(rm *)")) == "Ask"
    assert verdict(LOOP, rules(f"bash({LOOP})", deny="bash(wc *)")) == "Denied"
    hidden = rules("bash", ask="bash(wc *)", deny="bash(rm *)")
    assert decide(run(LOOP), "bash", hidden) == Ask(hides=parse("bash(rm *)"))


def test_a_pattern_for_a_tool_of_a_server_is_about_what_it_is_called_with() -> None:
    given = rules("mcp__a__b(x*)", deny="mcp__a__b(xz)")
    found = [
        type(decide(Access("call", target), "mcp__a__b", given)) for target in ("xy", "y", "xz")
    ]
    assert found == [Allowed, Ask, Denied]


@pytest.mark.parametrize("mode", ["plan", "ask", "read-only"])
def test_what_is_vouched_for_needs_no_rule_in_any_mode(mode: Mode) -> None:
    access = Access("run", "make", vouched=True)
    assert decide(access, "bash", rules(), mode) == Allowed()
    assert isinstance(decide(access, "bash", rules(deny="bash(make *)"), mode), Denied)
    assert decide(access, "bash", rules(ask="bash(make *)"), "ask") != Allowed()


@pytest.mark.parametrize(
    ("rule", "line", "result"),
    [
        ("write(kept)", "echo a > kept", "Denied"),
        ("write(kept)", "rm kept", "Denied"),
        ("write(kept)", "cat kept", "Allowed"),
        ("write", "echo a > kept", "Allowed"),
        ("read(kept)", "cat kept", "Denied"),
        ("read(kept)", "make < kept", "Denied"),
        ("read(kept)", "echo a > kept", "Allowed"),
        ("*(kept)", "cat kept", "Denied"),
        ("edit(kept)", "echo a > kept", "Allowed"),
        ("bash(make *)", "make x", "Denied"),
        ("bash(make *)", "cc x", "Allowed"),
        ("bash(cc * | sh)", "cc x | sh", "Denied"),
        ("grep(make *)", "make x", "Allowed"),
    ],
)
def test_a_rule_that_denies_is_about_the_commands_and_the_files_of_a_line(
    rule: str, line: str, result: str
) -> None:
    assert verdict(line, rules("bash", deny=rule)) == result


def test_a_line_is_judged_from_the_folder_that_it_runs_in() -> None:
    given = rules("bash", deny="read(sub/kept)")
    here, below = run("cat kept"), replace(run("cat kept"), place=FOLDER / "sub")
    assert decide(here, "bash", given) == Allowed()
    assert isinstance(decide(below, "bash", given), Denied)


def test_a_denied_path_may_be_named_from_the_root_from_home_or_from_the_folder() -> None:
    for pattern, path in (
        ("/etc/x", "/etc/x"),
        ("~/x", str(Path.home() / "x")),
        ("x", "x"),
        ("./x", "x"),
        ("**", "x"),
    ):
        given = rules("read", deny=f"read({pattern})")
        assert isinstance(decide(at("read", path), "read", given), Denied), pattern
        assert decide(at("read", "/y"), "read", given) == Allowed()


def test_what_is_protected_from_writing_is_read_by_a_plain_rule() -> None:
    given = rules("read(/x/**), write(/x/**)")
    assert decide(at("read", "/x/.vscode/a"), "read", given) == Allowed()
    assert isinstance(decide(at("write", "/x/.vscode/a"), "write", given), Ask)


def test_plan_mode_asks_before_it_reads_elsewhere() -> None:
    assert decide(at("read", "/etc/x"), "read", rules(), "plan") == Ask()
    assert verdict("cat /etc/x", rules(), "plan") == "Ask"
    assert decide(at("read", "/etc/x"), "read", rules("read(/etc/*)"), "plan") == Allowed()


def test_what_is_octochats_own_is_protected_by_the_folder_and_the_rest_by_its_name() -> None:
    given = Rules(Path("/w"), scratch=Path("/w/.git/s"), protected=(Path("/own"),))
    for path, names in (
        ("/w/a", set[str]()),
        ("/w/.git/a", {".git"}),
        ("/w/.git/s/a", set[str]()),
        ("/w/.git/s/.ssh/a", {".ssh"}),
        ("/own/a", {"/own"}),
        ("/own/.ssh", {"/own"}),
        ("/x/.ssh", {".ssh"}),
    ):
        assert protects(given, Path(path)) == names, path
