"""What a rule has to spell out before it allows a command of git."""

import pytest

from octochat.permissions.risks import risks


@pytest.mark.parametrize(
    ("line", "spelled_out"),
    [
        ("git", ()),
        ("git log", ()),
        ("git --no-pager log", ()),
        ("git -c a=b log", ("-c",)),
        ("git --exec-path=x log", ("--exec-path",)),
        ("git bisect run x", ("bisect",)),
        ("git clone ext::sh", ("ext::sh",)),
        ("git remote", ()),
        ("git remote -v", ()),
        ("git remote show add", ()),
        ("git remote add x u", ("add",)),
        ("git remote set-url x u", ("set-url",)),
        ("git-upload-pack x", ("git-upload-pack",)),
        ("git -ca=b log", ("-c",)),
        ("git -Cx log", ("-C",)),
    ],
)
def test_what_git_runs_or_where_it_sends_has_to_be_spelled_out(
    line: str, spelled_out: tuple[str, ...]
) -> None:
    assert risks(tuple(line.split())) == spelled_out


NEVER = "\0"
"""What no rule can spell out."""


@pytest.mark.parametrize(
    ("line", "spelled_out"),
    [
        ("sudo ls", ("ls",)),
        ("sudo -n ls -l", ("-n", "ls")),
        ("sudo -s", ("-s", NEVER)),
        ("timeout 5 make X=1", ("make", "X=1")),
        ("uv run pytest -x", ()),
        ("uv run pytest -c x", ("-c",)),
        ("uv run --frozen pytest -c x", ("-c",)),
        ("uv run --color=x pytest -c x", ("-c",)),
        ("uv run -- pytest -c x", ("-c",)),
        ("uv run -- echo pytest -c x", ()),
        ("uv run --color=x echo pytest -c x", ()),
        ("uv run x pytest -c x", ()),
        ("uv run --extra x pytest -c x", ("-c",)),
        ("uv run -m pytest -c x", ("-m", "-c", "-c")),
        ("uv run", ()),
        ("uv run -q", ()),
        ("uvx ruff -o x", ("-o",)),
        ("python", (NEVER,)),
        ("python -u", (NEVER,)),
        ("python -u x.py -c", ()),
        ("python -c x", ("-c",)),
        ("python -m pytest -c x", ("-m", "-c")),
        ("python -m", ("-m",)),
        ("python --version", ()),
        ("python -u -m pytest -c x", ("-m", "-c")),
        ("python -m node", ("-m", NEVER)),
        ("pytest -qcx", ("-qc",)),
        ("tar xf a", ()),
        ("tar cIf x a", ("cIf",)),
        ("cat cIf", ()),
        ("printf %s a", ()),
        ("printf %n PATH", (NEVER,)),
        ("echo %n", ()),
        ("find . -exec x", ("-exec",)),
        ("go test --exec=x", ("-exec",)),
        ("go test -x", ()),
        ("dd if=x", ()),
        ("dd if=x of=y", ("of=",)),
        ("cat of=y", ()),
        ("cargo build", ()),
        ("cargo +nightly build", ("+nightly",)),
        ("cat +x", ()),
        ("make CC=x", ("CC=x",)),
        ("cat CC=x", ()),
        ("mypy @x", ("@x",)),
        ("cat @x", ()),
        ("sed p a", ()),
        ("sed -i p a", ("-i",)),
        ("sed w/x a", (NEVER,)),
        ("awk {print} a", ()),
        ("awk {system(x)} a", (NEVER,)),
        ("uv sync pytest -c x", ()),
        ("npx pytest -c x", ("-c", "-c")),
        ("uniq a", ()),
        ("uniq a b", (NEVER,)),
    ],
)
def test_so_has_what_another_program_runs(line: str, spelled_out: tuple[str, ...]) -> None:
    assert risks(tuple(line.split())) == spelled_out
