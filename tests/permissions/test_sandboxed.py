"""What a command in the sandbox may do without a question, and one outside of it."""

from octochat.permissions.danger import dangers
from octochat.permissions.modes import Mode
from octochat.permissions.rules import Rules, decide
from octochat.tools.base import Access
from tests.permissions.test_rules import rules


def verdict(command: str, given: Rules, mode: Mode = "ask") -> str:
    access = Access("run", command, sandboxed=True)
    return type(decide(access, "bash", given, mode)).__name__


def test_nothing_is_asked_in_the_sandbox_but_rules_that_deny_and_ask_hold() -> None:
    given = rules(ask="bash(make deploy *)", deny="bash(git push *), read(**/secret)")
    for command in ("make", "rm -rf build", "python3 -c 'print(1)'; echo x > .vscode/a"):
        assert verdict(command, rules()) == "Allowed"
    assert verdict("git -C . push", given) == "Denied"
    assert verdict("cat secret", given) == "Denied"
    assert verdict("make deploy now", given) == "Ask"
    assert verdict("for x in push; do git $x; done", given) == "Ask"


def test_modes_that_change_nothing_change_nothing_in_the_sandbox_either() -> None:
    assert verdict("make", rules(), "plan") == "Denied"
    assert verdict("make", rules(), "read-only") == "Denied"
    assert verdict("ls", rules(), "plan") == "Allowed"


def test_the_question_about_a_command_outside_has_its_reason() -> None:
    access = Access("run", "make", outside="it needs the network.")
    assert type(decide(access, "bash", rules())).__name__ == "Ask"
    assert dangers(access) == ("runs outside the sandbox: it needs the network",)
