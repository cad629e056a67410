"""What "always" is offered to mean."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octochat.permissions.rule import parse
from octochat.permissions.rules import Allowed, decide
from octochat.permissions.widths import said, understood, widths
from octochat.tools.base import Access
from tests.permissions.test_rules import at, rules, run, verdict


def offered(command: str, allow: str = "") -> list[str]:
    """What is offered beside exactly this line."""
    exact, *others = widths(run(command), "bash", rules(allow=allow))
    assert len(exact) == 1
    return [said(each) for each in others]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git status -s", ["bash(git status *)", "bash(git *)"]),
        ("ls -l *.py", ["bash(ls *)"]),
        ("cat notes", ["bash(cat *)"]),
        ("python3 -m pytest -q tests", ["bash(python3 -m pytest *)"]),
        ("python3 build.py --fast", ["bash(python3 build.py *)"]),
        ("npm run test -- --watch", ["bash(npm run test *)"]),
        ("uv run pytest -q", ["bash(uv run pytest *)"]),
        ("cc -l src && python3 -m pytest -q", ["bash(cc *) and bash(python3 -m pytest *)"]),
        ("ls src && timeout 9 python3 -m pytest -q | head", ["bash(python3 -m pytest *)"]),
        ("python3 -m pytest", ["bash(python3 -m pytest *)"]),
        ("npm test -x", ["bash(npm test *)"]),
        ("uv tool run ruff -q", ["bash(uv tool run ruff *)"]),
        ("pnpm dlx vitest -w", ["bash(pnpm dlx vitest *)"]),
        ("go run ./cmd", ["bash(go run ./cmd *)"]),
        ("cargo test", ["bash(cargo test *)"]),
        ("git", ["bash(git *)"]),
        ("git Status", ["bash(git *)"]),
        ("git status --stop", ["bash(git status *)", "bash(git *)"]),
        ("cc stop", ["bash(cc stop *)", "bash(cc *)"]),
        ("nice make lint", ["bash(make lint *)"]),
        ("cc a; cc b", ["bash(cc a *) and bash(cc b *)", "bash(cc *)"]),
        (
            "cc a; make b",
            ["bash(cc a *) and bash(make b *)", "bash(cc *) and bash(make b *)"],
        ),
        ("find . -exec ls {} +", ["bash(find . -exec ls '{}' +)"]),
        ("git add -A && git push", ["bash(git add *) and bash(git push *)", "bash(git *)"]),
        ("echo $(date)", []),
        (
            "cd src && python3 -m pytest ../tests; git status -s",
            [
                "bash(python3 -m pytest ../tests) and bash(git status *)",
                "bash(python3 -m pytest ../tests) and bash(git *)",
            ],
        ),
    ],
)
def test_always_is_offered_for_those_like_it_part_by_part(
    command: str, expected: list[str]
) -> None:
    assert offered(command) == expected


def test_only_parts_that_are_not_allowed_yet_are_asked_about() -> None:
    assert offered("cd src && cc | make", allow="bash(make *)") == ["bash(cc *)"]


@pytest.mark.parametrize(
    "line",
    ["rm -rf build", "git push --force", "python3 -c x", "sudo ls", "rm build.log", "mv a b",
     "cp a b", "tee x", "truncate -s0 x", "kill 1", "chmod 600 x", "rsync a b", "git clean -n",
     "git checkout main", "docker rm x", "docker container rm x", "kubectl delete pod x",
     "npm uninstall x", "git stash drop", "tar xf a.tar", "python3", "python3 -m",
     "python3 -u x.py", "uv run", "npm run", "uv run -q pytest", "uv tool run", "npm exec -- x",
     "npx -y x", "npm", "npm -v", "make", "make X=1", "env make", "git -c a=b log"],
)  # fmt: skip
def test_what_does_harm_or_runs_anything_is_allowed_as_it_is_or_not_at_all(line: str) -> None:
    assert offered(line) == []
    assert offered(f"cc; {line}") == [f"bash(cc *) and bash({line})"]


def test_never_every_call_of_bash() -> None:
    for line in ("ls -l", "a; b", "git add -A && git push", "x | y | z"):
        assert "bash" not in offered(line)


def test_a_path_comes_in_three_widths() -> None:
    def of(kind: str, path: str, tool: str) -> list[str]:
        return [said(each) for each in widths(at(kind, path), tool, rules())]

    assert of("write", "src/a.py", "edit") == ["write(src/a.py)", "write(src/**)", "write(**)"]
    assert of("write", "/etc/hosts", "edit") == ["write(/etc/hosts)", "write(/etc/**)"]
    assert of("write", ".git/config", "edit") == ["write(.git/config)", "write(.git/**)"]
    assert of("write", ".envrc", "edit") == ["write(.envrc)"]
    assert of("read", "/etc/passwd", "read") == ["read(/etc/passwd)", "read(/etc/**)", "read"]


def test_a_tool_of_a_server_comes_alone_or_with_all_of_the_server() -> None:
    call = [said(each) for each in widths(Access("call", "x"), "mcp__mail__read", rules())]
    assert call == ["mcp__mail__read", "mcp__mail__*"]


@given(st.text(st.sampled_from("abc [*]?!$();|'\"\\:{},-./\n"), min_size=1).filter(str.strip))
def test_every_width_covers_the_call_it_was_made_for(text: str) -> None:
    exact, *others = widths(run(text), "bash", rules())
    for width in (exact, *others):
        again = tuple(parse(str(rule)) for rule in width)
        assert decide(run(text), "bash", replace(rules(), allow=again)) == Allowed()
    # And the narrowest covers nothing that is run differently.
    extra = f"{text} extra"
    assert verdict(extra, replace(rules(), allow=exact)) == verdict(extra, rules())


def test_several_rules_are_written_in_one_line() -> None:
    line = "bash(ls *) and bash(echo a and b *)"
    assert said(understood(line)) == line
    assert len(understood(line)) == 2
    with pytest.raises(ValueError, match="rule"):
        understood("bash(ls *) and ")
