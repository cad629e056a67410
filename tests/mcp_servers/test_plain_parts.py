"""What needs no server: settings, variables, names, searching, a project's file, answers."""

import json
from pathlib import Path

import pytest

from octochat.config.load import load
from octochat.config.mcp_file import find_servers
from octochat.context.session.tool_definition import ToolDefinition
from octochat.mcp.expand import MissingVariableError, expanded
from octochat.mcp.offered import ServerTool, full_name, wanted
from octochat.mcp.search import best
from octochat.mcp.settings import McpServer, fault
from octochat.permissions.rule import parse


@pytest.mark.parametrize(
    ("name", "server", "words"),
    [
        ("git", McpServer(command="x"), ""),
        ("my git", McpServer(command="x"), "can't be called"),
        ("a__b", McpServer(command="x"), "can't be called"),
        ("git", McpServer(), "neither command nor url"),
        ("git", McpServer(command="x", url="https://x"), "both command and url"),
        ("git", McpServer(url="ftp://x"), "must begin with https"),
    ],
)
def test_a_server_that_cant_be_is_told_with_what_to_do(
    name: str, server: McpServer, words: str
) -> None:
    assert words in fault(name, server)
    assert bool(words) == bool(fault(name, server))


def test_variables_stand_for_their_values_or_defaults_and_one_that_is_missing_is_named() -> None:
    server = McpServer(command="${BIN:-run}", args=("${HOME}/x",), env={"T": "${TOKEN}"})
    made = expanded(server, {"HOME": "/h", "TOKEN": "s"})
    assert (made.command, made.args, made.env) == ("run", ("/h/x",), {"T": "s"})
    with pytest.raises(MissingVariableError, match="TOKEN is not set"):
        expanded(server, {"HOME": "/h"})


def test_names_of_tools_are_what_the_api_takes_and_differ_where_the_servers_do() -> None:
    assert full_name("git", "create_issue") == "mcp__git__create_issue"
    assert full_name("git", "a.b") != full_name("git", "a/b")
    assert len(full_name("git", "x" * 200)) <= 64


def test_a_server_gives_the_tools_that_the_person_takes() -> None:
    server = McpServer(command="x", include=("get_*", "list"), exclude=("get_secret",))
    assert [n for n in ("get_a", "get_secret", "list", "put") if wanted(n, server)] == [
        "get_a",
        "list",
    ]


def tool(name: str, told: str) -> ServerTool:
    return ServerTool("git", name, ToolDefinition(full_name("git", name), told, {}))


def test_a_search_finds_by_name_by_words_and_by_the_exact_name() -> None:
    tools = [
        tool("createIssue", "Open an issue in a repository."),
        tool("merge", "Merge a pull request."),
        tool("label", "Put a label on an issue."),
    ]
    assert best("create issues", tools)[0].name == "createIssue"
    assert best("pull requests", tools)[0].name == "merge"
    assert [t.name for t in best("mcp__git__label", tools)] == ["label"]
    assert best("weather", tools) == []


def test_a_rule_names_one_tool_of_a_server_or_all() -> None:
    assert parse("mcp__git__*").names("mcp__git__merge")
    assert not parse("mcp__git__*").names("mcp__web__merge")
    assert parse("mcp__git__merge").names("mcp__git__merge")


def test_a_projects_file_counts_once_it_is_trusted_and_never_spares_itself_a_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    project = tmp_path / "project"
    project.mkdir()
    said = {"mcpServers": {"git": {"type": "stdio", "command": "run", "permission": "allow"}}}
    (project / ".mcp.json").write_text(json.dumps(said))
    found = find_servers(load(project), project)
    assert found.servers == {}
    assert found.claims[0].wants == ("git: run",)
    assert "/trust" in found.notices[0]
    own = tmp_path / "config" / "octochat" / "config.toml"
    own.parent.mkdir(parents=True)
    own.write_text(f'[permissions]\ntrusted_folders = ["{project}"]\n')
    trusted = find_servers(load(project), project)
    assert trusted.servers == {"git": McpServer(command="run")}
    assert trusted.claims == ()


@pytest.mark.parametrize("text", ["{", "[]", '{"mcpServers": {"git": {"comand": "x"}}}'])
def test_a_projects_file_that_is_wrong_is_a_line_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / ".mcp.json").write_text(text)
    found = find_servers(load(tmp_path), tmp_path)
    assert found.servers == {}
    assert "are not taken" in found.notices[0]
