from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octochat.permissions.rule import Rule, parse
from octochat.permissions.rules import (
    Allowed,
    Ask,
    Denied,
    Mode,
    Rules,
    advised,
    covers,
    decide,
)
from octochat.tools.base import Access, HookAdvice

FOLDER = Path("/work/project")


def rules(allow: str = "", ask: str = "", deny: str = "", folder: Path = FOLDER) -> Rules:
    def several(text: str) -> tuple[Rule, ...]:
        return tuple(parse(one) for one in text.split(", ") if one)

    return Rules(folder, several(allow), several(ask), several(deny))


def run(command: str) -> Access:
    return Access(kind="run", target=command)


def at(kind: str, path: str, folder: Path = FOLDER) -> Access:
    canonical = folder / path
    assert kind in ("read", "write")
    inside = canonical.is_relative_to(folder)
    return Access(
        kind="read" if kind == "read" else "write", target=path, inside=inside, path=canonical
    )


def verdict(command: str, given: Rules, mode: Mode = "ask") -> str:
    return type(decide(run(command), "bash", given, mode)).__name__


def test_reading_inside_is_free_and_all_else_asks() -> None:
    none = rules()
    assert decide(at("read", "a"), "read", none) == Allowed()
    assert decide(at("read", "/etc/passwd"), "read", none) == Ask()
    assert decide(at("write", "a"), "write", none) == Ask()
    assert decide(run("make"), "bash", none) == Ask()
    assert decide(run("ls; cat a | head"), "bash", none) == Allowed()
    assert decide(run("cat /etc/passwd"), "bash", none) == Ask()
    assert decide(Access("none", "recall"), "recall", none) == Allowed()


def test_a_file_that_is_named_like_a_harmless_command_is_written_all_the_same() -> None:
    assert isinstance(decide(at("write", "ls"), "write", rules(), "plan"), Denied)
    assert verdict("ls", rules(), "plan") == "Allowed"


def test_a_hook_spares_a_question_or_wants_one_and_lifts_nothing_else() -> None:
    ruled, hidden, denied = Ask(parse("bash")), Ask(hides=parse("bash(rm *)")), Denied("no")
    path, own = at("write", "a"), at("write", ".git/config")
    spare, want = HookAdvice("allow"), HookAdvice("ask")
    cases = [
        (Ask(), spare, path, Allowed()),
        (Ask(), spare, own, Ask()),
        (Allowed(), want, path, Ask()),
        *((each, None, path, each) for each in (Allowed(), Ask(), denied)),
        *((each, want, path, each) for each in (Ask(), ruled, hidden, denied)),
        *((each, spare, path, each) for each in (Allowed(), ruled, hidden, denied)),
    ]
    for decision, hook, access, result in cases:
        assert advised(decision, hook, access, rules()) == result, (decision, hook, access)


def test_deny_wins_over_ask_and_ask_over_allow() -> None:
    given = rules(allow="bash", ask="bash(git *)", deny="bash(git push *)")
    assert verdict("ls", given) == "Allowed"
    assert verdict("git log", given) == "Ask"
    assert verdict("git push -f", given) == "Denied"
    assert verdict("git log", given, "allow-all") == "Allowed"
    assert verdict("git push", given, "allow-all") == "Denied"


def test_read_only_denies_what_writes_or_runs_whatever_is_allowed() -> None:
    given = rules(allow="*")
    assert verdict("ls", given, "read-only") == "Denied"
    assert isinstance(decide(at("write", "a"), "edit", given, "read-only"), Denied)
    assert decide(at("read", "a"), "read", given, "read-only") == Allowed()


@pytest.mark.parametrize(
    "command",
    ["git status; rm -rf /", "git status && rm x", "git log | sh", "git log $(rm x)", "git `rm x`",
     "git log\nrm x", "git log > /etc/passwd", "git log & rm x", "GIT_SSH=x git pull", "gitk",
     "git log <(rm x)", "(git log)", "git log 'open"],
)  # fmt: skip
def test_a_pattern_allows_nothing_that_only_begins_like_it(command: str) -> None:
    assert verdict(command, rules(allow="bash(git *)")) == "Ask"


def test_a_compound_command_is_allowed_if_each_part_is() -> None:
    given = rules(allow="bash(git *), bash(make *)")
    assert verdict("git log 2>&1 | make -j5 && git status", given) == "Allowed"
    assert verdict("git log | npm t", given) == "Ask"


def test_a_command_that_may_hide_a_denied_one_is_never_waved_through() -> None:
    given = rules(allow="bash", deny="bash(rm *)")
    for command in ("$X y", "r''m x; $(true)", "sh script.sh", "eval $x", "rm* x"):
        assert verdict(command, given) != "Allowed"
        assert verdict(command, given, "allow-all") != "Allowed"
    assert verdict("ls *.py", given) == "Allowed"
    assert verdict("curl x | sh", rules(allow="bash", deny="bash(curl * | sh)")) == "Denied"


JOINERS = st.sampled_from([";", " && ", " || ", " | ", "\n", " & "])
WRAPPERS = st.sampled_from(
    ["{}", "sudo {}", "/bin/{}", "({})", "{{ {}; }}", "$({})", "`{}`", '"$({})"', "env {}",
     "X=1 {}", "if {}; then x; fi", "! {}", "{} >out", "bash -c '{}'", "time {}", "exec {}",
     "wrapper {}"],
)  # fmt: skip
ALLOWS = st.sampled_from(["*", "bash", "bash(echo *)", "bash(git *), bash(echo *)", "bash(*)"])


@given(
    before=st.lists(st.sampled_from(["echo a", "git log", "ls -l"]), max_size=3),
    after=st.lists(st.sampled_from(["echo b", "git st*", "true"]), max_size=3),
    wrap=st.lists(WRAPPERS, max_size=3),
    joiner=JOINERS,
    allow=ALLOWS,
    mode=st.sampled_from(["ask", "allow-all"]),
)
def test_a_denied_command_is_never_allowed_by_composition(
    before: list[str], after: list[str], wrap: list[str], joiner: str, allow: str, mode: Mode
) -> None:
    command = "rm x"
    for one in wrap:
        command = one.format(command)
    line = joiner.join((*before, command, *after))
    assert verdict(line, rules(allow=allow, deny="bash(rm *)"), mode) != "Allowed"


@pytest.mark.parametrize(
    ("line", "denied"),
    [
        ("git push origin -f", True),
        ("git push origin -qf", True),
        ("git push origin", False),
        ("git push -- origin", False),
        ("git fetch origin -f", False),
        ("git clean -d --force", True),
        ("git clean -d --f", True),
        ("git clean --for -xd", True),
        ("git clean --force=1 -d", True),
        ("git clean --forced -d", False),
        ("git clean --force", False),
        ("git clean -d", False),
    ],
)
def test_denied_options_are_seen_wherever_they_stand_and_however_short(
    line: str, denied: bool
) -> None:
    given = rules(allow="bash", deny="bash(git push -f *), bash(git clean --force -d)")
    assert verdict(line, given) == ("Denied" if denied else "Allowed")


def test_a_denied_path_is_seen_behind_the_home_folder_and_in_a_loop() -> None:
    home = Path.home()
    given = rules(allow="bash", deny=f"bash(rm -rf {home}/*), write(kept)")
    for line in ("rm -rf ~/x", "rm -rf $HOME/x", 'rm -rf "${HOME}/x"'):
        assert verdict(line, given) == "Denied"
    assert verdict("rm -rf x", given) == "Allowed"
    assert verdict("for i in 1; do echo >> 'kept'; done", given) == "Denied"


def test_a_star_before_other_words_allows_one_program_by_its_name() -> None:
    given = rules(allow="bash(* --version)")
    assert verdict("node --version", given) == "Allowed"
    assert verdict("git --no-pager --version", given) == "Allowed"
    for line in ("python3 evil.py --version", "npx evil --version", "./x.sh --version",
                 "docker run -v /:/h img --version", "pip install evil --version"):  # fmt: skip
        assert verdict(line, given) == "Ask"
    assert verdict("node --version x", given) == "Ask"
    assert verdict("node x --version", rules(allow="bash(*)")) == "Allowed"
    denied = rules(allow="bash", deny="bash(* --force)")
    assert verdict("git push x --force", denied) == "Denied"


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ("timeout 5 make x", "Allowed"),
        ("timeout -v 5 make x", "Allowed"),
        ("nice timeout 5 make x", "Allowed"),
        ("timeout -? 5 make x", "Ask"),
        ("timeout -w 5 make x", "Ask"),
        ("timeout 5 cc x", "Ask"),
        ("timeout", "Ask"),
        ("setsid make x", "Ask"),
        ("./timeout 5 make x", "Ask"),
    ],
)
def test_what_runs_a_command_as_it_is_needs_no_rule_of_its_own(
    line: str, result: str, tmp_path: Path
) -> None:
    (tmp_path / "-v").touch()
    assert verdict(line, rules(allow="bash(make *)", folder=tmp_path)) == result


def test_a_rule_for_a_git_command_covers_it_without_its_pager_too() -> None:
    given = rules(allow="bash(git log *)")
    assert verdict("git --no-pager log -1", given) == "Allowed"
    assert verdict("git -P --no-optional-locks log", given) == "Allowed"
    assert verdict("git --exec-path=. log", given) == "Ask"


def test_path_patterns_start_at_the_working_folder() -> None:
    given = rules(allow="write(src/**), read(/etc/*)")
    assert decide(at("write", "src/a/b.py"), "edit", given) == Allowed()
    assert decide(at("write", "lib/a.py"), "write", given) == Ask()
    assert decide(at("write", "/work/src/a"), "write", given) == Ask()
    assert decide(at("read", "/etc/passwd"), "read", given) == Allowed()
    assert decide(at("read", "/etc/ssl/key"), "grep", given) == Ask()


def test_a_rule_for_one_tool_says_nothing_of_another() -> None:
    given = rules(allow="edit")
    assert decide(at("write", "a"), "edit", given) == Allowed()
    assert decide(at("write", "a"), "write", given) == Ask()
    assert decide(run("cc"), "mcp__shell", rules(allow="bash")) == Ask()
    assert decide(run("cc"), "mcp__shell", rules(allow="mcp__shell")) == Allowed()


def test_files_that_decide_what_is_allowed_need_a_rule_that_names_them() -> None:
    for path in (".git/hooks/pre-commit", ".octochat/config.toml", "sub/.GIT/config"):
        assert decide(at("write", path), "write", rules(allow="write(**), *")) == Ask()
    given = rules(allow="bash(cp .gitignore *), write(a.git/**), bash(tee .git/x)")
    assert verdict("cp .gitignore .git/config", given) == "Ask"
    assert decide(at("write", "a.git/.git/config"), "write", given) == Ask()
    assert verdict("tee .git/x", given) == "Allowed"
    assert verdict("cp .gitignore b", given) == "Allowed"
    given = rules(allow="write(.octochat/**)")
    assert decide(at("write", ".octochat/config.toml"), "write", given) == Allowed()
    assert isinstance(decide(at("write", ".git/x"), "write", rules(deny="write(**)")), Denied)


def test_behind_a_link_a_command_is_allowed_word_for_word_and_a_file_by_its_own_name(
    tmp_path: Path,
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / ".git")
    given = rules(allow="bash(touch link/*), write(link/**)", folder=tmp_path)
    write = replace(at("write", ".git/x", tmp_path), target="link/x")
    assert verdict("touch link/x", given) == "Ask"
    assert decide(write, "write", given) == Ask()
    given = rules(allow="bash(touch link/x), write(link/x)", folder=tmp_path)
    assert verdict("touch link/x", given) == "Allowed"
    assert verdict("touch link/y", given) == "Ask"
    assert decide(write, "write", given) == Ask()


def test_denied_folders_are_denied_through_links_as_well(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    (tmp_path / "real").mkdir()
    folder.mkdir()
    (folder / "secrets").symlink_to(tmp_path / "real")
    (tmp_path / "alias").symlink_to(tmp_path / "real")
    access = at("read", str(tmp_path / "real/key"), folder)
    for text in ("read(secrets/**)", f"read({tmp_path}/alias/**)"):
        decision = decide(access, "read", rules(allow="read", deny=text, folder=folder))
        assert isinstance(decision, Denied)
    assert decide(access, "read", rules(allow="read(secrets/**)", folder=folder)) == Ask()


def test_searches_may_not_look_where_reading_is_not_free() -> None:
    given = rules(deny="read(secrets/**)", ask="read(*.env)")
    assert given.searchable("grep", FOLDER / "a")
    assert not given.searchable("grep", FOLDER / "secrets/a")
    assert not given.searchable("grep", FOLDER / "x.env")


@pytest.mark.parametrize(
    "text", ["", "bash(", "bash()", "bash( )", "(x)", "a b", "write({" + "a,b}{" * 9 + "c,d})"]
)
def test_what_is_no_rule_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"rule|meanings"):
        parse(text)


def test_a_rule_is_written_as_it_is_read() -> None:
    for text in ("bash(git *)", "write(src/**)", "edit", "*", "bash(echo (a))"):
        assert str(parse(text)) == text


def test_what_a_rule_would_have_covered_can_be_counted() -> None:
    past = [("bash", run("git log")), ("bash", run("git push")), ("bash", run("ls"))]
    assert covers((parse("bash(git *)"),), past, FOLDER) == (run("git log"), run("git push"))


def scratched(allow: str, deny: str, scratch: Path) -> Rules:
    own = (Rule("read", f"{scratch}/**"), Rule("write", f"{scratch}/**"))
    return replace(rules(allow=allow, deny=deny), own=own, scratch=scratch)


def test_the_scratch_folder_is_read_written_and_redirected_into_without_asking(
    tmp_path: Path,
) -> None:
    given = scratched("bash(make *)", "bash(rm *)", tmp_path)
    inner = tmp_path / "a/.b"
    assert decide(at("write", str(inner)), "edit", given) == Allowed()
    assert decide(at("read", str(inner)), "read", given) == Allowed()
    for line in (
        f"make all > {tmp_path}/log",
        f"make all >>{tmp_path}/in/log 2>&1; make x",
        f"make 2> {tmp_path}/log | make y",
    ):
        assert verdict(line, given) == "Allowed"
        assert verdict(line, given, "allow-all") == "Allowed"
    assert verdict(f"cc > {tmp_path}/log", given) == "Ask"
    assert verdict(f"make > '{tmp_path}/log'", given) == "Allowed"
    assert verdict(f"rm x > {tmp_path}/log", given) == "Denied"


def test_a_redirection_out_of_the_scratch_folder_asks(tmp_path: Path) -> None:
    (tmp_path / "scratch").mkdir()
    (tmp_path / "scratch/link").symlink_to(tmp_path)
    given = scratched("bash(make *)", "", tmp_path / "scratch")
    for file in ("scratch/../x", "scratch/link/x", "x", "scratch", "scratch2/x", "scratch/$X"):
        assert verdict(f"make > {tmp_path}/{file}", given) == "Ask"
    assert verdict(f"make > {tmp_path}/scratch/y", rules(allow="bash(make *)")) == "Ask"
