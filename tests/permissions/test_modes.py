"""Modes: what each lets through."""

from octochat.permissions.rules import Allowed, Ask, Denied, decide
from tests.permissions.test_rules import at, rules, verdict


def test_plan_mode_reads_and_refuses_what_may_change_something_whatever_is_allowed() -> None:
    given = rules(allow="bash, write")
    assert decide(at("read", "a"), "read", given, "plan") == Allowed()
    assert isinstance(decide(at("write", "a"), "write", given, "plan"), Denied)
    assert verdict("git log --oneline | head -5", given, "plan") == "Allowed"
    assert verdict("rm a", given, "plan") == "Denied"
    assert verdict("git log", rules(), "plan") == "Ask"


def test_accepted_edits_stay_in_the_working_folder_and_away_from_what_decides() -> None:
    given = rules(ask="write(secret/**)", deny="write(locked)")
    assert decide(at("write", "src/a"), "edit", given, "accept-edits") == Allowed()
    for path in ("/etc/hosts", ".git/hooks/pre-commit", ".octochat/config.toml", "secret/a"):
        assert isinstance(decide(at("write", path), "edit", given, "accept-edits"), Ask)
    assert isinstance(decide(at("write", "locked"), "edit", given, "accept-edits"), Denied)
    assert verdict("make", given, "accept-edits") == "Ask"
