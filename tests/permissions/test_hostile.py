"""Hostile calls by kind (`hostile/*.txt`): none gets through. Ordinary ones: few are asked about.

A file begins with the rules that hold; every further line is a call, `\\n` in it a new line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import tomli

from octochat.permissions.rule import parse
from octochat.permissions.rules import Allowed, Ask, Denied, Rules, decide
from octochat.tools.base import Access
from tests.root import ROOT

HERE = Path(__file__).parent
KINDS = sorted(path.stem for path in (HERE / "hostile").glob("*.txt"))
RECOMMENDED = re.compile(r"<!-- recommended -->\n```toml\n(.*?)```", re.DOTALL)


@dataclass(frozen=True)
class Kind:
    """One file of hostile calls."""

    allow: tuple[str, ...]
    deny: tuple[str, ...]
    place: str
    calls: tuple[str, ...]


def kind_of(name: str) -> Kind:
    lines = (HERE / f"hostile/{name}.txt").read_text("utf-8").splitlines()
    heads = dict.fromkeys(("allow", "deny", "in"), "")
    while (head := lines[0].partition(": "))[0] in heads:
        heads[head[0]] = head[2]
        del lines[0]
    several = {key: tuple(filter(None, heads[key].split(", "))) for key in heads}
    calls = tuple(line.replace("\\n", "\n").replace("\\r", "\r") for line in lines)
    return Kind(several["allow"], several["deny"], heads["in"], calls)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with links, secrets, and traps in it."""
    top = tmp_path_factory.mktemp("top")
    for name in ("project/src", "project/secrets", "project/sub", "project/evil/objects",
                 "project/evil/sub", "project/wild", "project/odd", "project/.git/hooks", "outside",
                 "data/config", "data/data"):  # fmt: skip
        (top / name).mkdir(parents=True)
    for name in ("project/.env", "project/src/.env", "project/secrets/key", "project/src/a.py",
                 "project/src/server.pem", "project/a", "project/evil/HEAD", "outside/secret",
                 "secret", "project/README.md", "project/.git/config", "project/wild/a",
                 "project/wild/--checkpoint-action=exec=x", "project/wild/--output=x",
                 "project/wild/-exec", "project/wild/-e", "project/wild/--eval=x"):  # fmt: skip
        (top / name).write_text("x")
    for link, to in (("link", "outside"), ("link2env", "project/.env"), ("linkgit", "project/.git"),
                     ("link2secrets", "project/secrets"), ("src/link2root", "."),
                     ("odd/$PWD", "outside/secret"), ("[x]k", "outside/secret")):  # fmt: skip
        (top / "project" / link).symlink_to(top / to)
    return top / "project"


def rules_in(project: Path, kind: Kind) -> Rules:
    own = (project.parent / "data/config", project.parent / "data/data")
    return Rules(
        project,
        allow=tuple(map(parse, kind.allow)),
        deny=tuple(map(parse, kind.deny)),
        protected=own,
    )


def access_of(name: str, call: str, project: Path, place: str) -> Access:
    call = call.replace("DATA", str(project.parent / "data"))
    if name != "protected_paths":
        return Access("run", call, place=project / place)
    path = project / call
    return Access("write", call, inside=path.is_relative_to(project), path=path)


def every_call() -> Iterator[tuple[str, str]]:
    for name in KINDS:
        yield from ((name, call) for call in kind_of(name).calls)


@pytest.mark.parametrize(("name", "call"), every_call())
def test_no_hostile_call_gets_through(name: str, call: str, project: Path) -> None:
    kind = kind_of(name)
    access = access_of(name, call, project, kind.place)
    tool = "write" if access.kind == "write" else "bash"
    rules = rules_in(project, kind)
    decision = decide(access, tool, rules)
    assert decision != Allowed()
    if name in ("git_push", "reads_denied", "commands_denied"):
        # A rule that denies is not got around where nothing else asks.
        assert decide(access, tool, rules, "allow-all") != Allowed()


def test_there_are_enough_of_them_and_each_is_one_of_its_kind() -> None:
    calls = list(every_call())
    assert len(calls) == len(set(calls))
    assert len(calls) >= 400


def under_the_recommended(project: Path) -> Rules:
    """The rules that docs/permissions.md recommends."""
    found = RECOMMENDED.search((ROOT / "docs/permissions.md").read_text("utf-8"))
    assert found
    said = tomli.loads(found[1])["permissions"]
    allow, deny = (tuple(map(parse, said[key])) for key in ("allow", "deny"))
    return Rules(project, allow=allow, deny=deny)


def test_at_most_twelve_of_122_ordinary_commands_are_asked_about(project: Path) -> None:
    rules = under_the_recommended(project)
    for secret in ("src/.env", "src/server.pem"):
        (project / secret).unlink()
    text = (HERE / "ordinary.txt").read_text("utf-8")
    lines = [line.replace("\\n", "\n") for line in text.splitlines()]
    asked = [
        line
        for line in lines
        if decide(Access("run", line, place=project), "bash", rules) != Allowed()
    ]
    assert len(lines) == len(set(lines)) == 122
    assert len(asked) <= 12, asked


@pytest.mark.parametrize(
    "name", ["git_options", "runs_and_writes", "shell_syntax", "places", "files_elsewhere"]
)
def test_no_hostile_line_gets_through_under_the_recommended_rules(name: str, project: Path) -> None:
    rules = under_the_recommended(project)
    lines = kind_of(name).calls
    through = [
        x for x in lines if decide(Access("run", x, place=project), "bash", rules) == Allowed()
    ]
    assert through == []


def test_the_same_calls_are_allowed_where_a_rule_spells_them_out(project: Path) -> None:
    kind = Kind(("bash(git -c *)", "bash(find * -exec *)", "bash(python3 -c *)", "bash(sed -i *)",
                 "write(.git/**)", "bash(cp * .git/*)", "bash(xargs rm *)"),
                (), "", ())  # fmt: skip
    rules = rules_in(project, kind)
    for line in ("git -c a=b status", "find . -exec ls {} +", "python3 -c x", "sed -i s/a/b/ x",
                 "cp x .git/config", "ls | xargs rm"):  # fmt: skip
        assert decide(Access("run", line, place=project), "bash", rules) == Allowed(), line
    path = project / ".git/config"
    assert decide(Access("write", "x", path=path), "write", rules) == Allowed()


def test_a_file_in_the_folder_is_taken_in_without_asking(project: Path) -> None:
    rules = under_the_recommended(project)
    for line in ("git commit -F README.md", "git commit -F -", "git diff HEAD~1 a", "git diff a..b",
                 "pytest src/a.py::test_b[x-1]", "pytest -k 'a and b' sub", "ruff format src",
                 "git add --pathspec-from-file=a", "uv run pytest -m slow src"):  # fmt: skip
        assert decide(Access("run", line, place=project), "bash", rules) == Allowed(), line


def test_what_is_denied_by_name_is_denied_in_any_case_where_the_file_system_folds_it(
    project: Path,
) -> None:
    rules = rules_in(project, Kind((), ("read(**/.env)",), "", ()))
    path = project / ".ENV"
    access = Access("read", ".ENV", path=path)
    assert decide(access, "read", rules) == Ask()
    assert isinstance(decide(access, "read", replace(rules, folds=True)), Denied)


@pytest.mark.parametrize(
    "line",
    ["git -C . push", "git --git-dir .git push", "git -c alias.p=push p", "git send-pack origin"],
)
def test_what_is_denied_is_denied_behind_global_options_and_under_other_names(
    line: str, project: Path
) -> None:
    rules = rules_in(project, Kind(("bash",), ("bash(git push *)",), "", ()))
    assert isinstance(decide(Access("run", line), "bash", rules), Denied)
