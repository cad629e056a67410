"""What tools say of their own calls, and what is said of the calls of tools that are gone."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

import pytest

import octochat
from octochat.context.session.content import ToolCall
from octochat.tools.facts import FACTS, ToolFacts, facts_of
from octochat.tools.registry import NAMES, TOOLS
from tests.tools.toolbox import toolbox

PACKAGE = Path(octochat.__file__).parent
ELSEWHERE = ("tools", "context", "models", "replay", "skills")
"""Where words may be the same by chance: no front end and no permission is decided there."""


def call(tool: str, **arguments: object) -> ToolCall:
    return ToolCall("c", tool, arguments)


def summary(tool: str, **arguments: object) -> str:
    given = ToolCall("c", tool, arguments)
    return facts_of(given).summary(given)


def test_a_tool_declares_only_arguments_that_it_takes(tmp_path: Path) -> None:
    specs = {tool.spec.name: tool.spec for tool in toolbox(tmp_path).tools.values()}
    assert FACTS.keys() == {tool.name for tool in TOOLS}
    for tool in TOOLS:
        facts = FACTS[tool.name]
        newest = facts.lines[:1]
        named = {*facts.subject, facts.place, *newest, facts.old_text, facts.new_text} - {""}
        taken = cast("Mapping[str, object]", specs[tool.name].schema["properties"])
        assert named <= taken.keys(), tool.name


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("read", {"file_path": "a.py", "view_range": [10, 40]}, "a.py 10:40"),
        ("read", {"file_path": "a.py", "ranges": [[1, 5], [10, -1]]}, "a.py 1:5, 10:-1"),
        ("grep", {"pattern": "TODO", "path": "src"}, "TODO in src"),
        ("glob", {"pattern": "*.py"}, "*.py"),
        ("recall", {"page": 2, "search": "key"}, "key"),
        ("skill", {"action": "use", "name": "debugging"}, "debugging"),
        ("bash", {"restart": True}, "True"),
        ("bash", {}, ""),
    ],
)
def test_the_argument_that_matters_comes_first(
    name: str, arguments: Mapping[str, object], said: str
) -> None:
    assert summary(name, **arguments) == said


def test_a_tool_that_is_gone_is_told_by_the_shape_of_its_arguments() -> None:
    assert summary("view_file", note="x", file_path="a.py", view_range=[1, 2]) == "a.py 1:2"
    assert summary("frobnicate", how="gently") == "gently"
    gone = call("str_replace", old_string="a", new_string="b")
    assert facts_of(gone).texts(gone) is None


def test_a_change_is_known_from_its_arguments() -> None:
    edit = call("edit", file_path="a", old_string="x", new_string="y")
    assert facts_of(edit).texts(edit) == ("x", "y")
    write = call("write", file_path="a", content="y")
    assert facts_of(write).texts(write) == ("", "y")
    broken = call("write", file_path="a", content=5)
    assert facts_of(broken).texts(broken) is None
    assert ToolFacts(("command",)).texts(call("bash", command="ls")) is None


def test_no_front_end_and_no_rule_decides_by_the_name_of_a_tool() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}:{line}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.relative_to(PACKAGE).parts[0] not in ELSEWHERE
        for line in compared(ast.parse(path.read_text("utf-8")))
    ]
    assert not found


def compared(tree: ast.AST) -> Iterator[int]:
    """Lines where the name of something called `call`, `block` or `tool` is compared."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = (node.left, *node.comparators)
            if any(map(is_name_of_call, sides)) and any(map(holds_tool_name, sides)):
                yield node.lineno


def is_name_of_call(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(attr="name"):
            return True
        case ast.Name(id="tool" | "name"):
            return True
        case _:
            return False


def holds_tool_name(node: ast.AST) -> bool:
    return any(isinstance(part, ast.Constant) and part.value in NAMES for part in ast.walk(node))
