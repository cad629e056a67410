"""A request as a person reads it: the prompt, the tools, the messages, the form of the answer."""

from typing import Any

from octochat.models.claude.readable import (
    messages_page,
    schema_page,
    system_page,
    tools_page,
    without_marks,
)

PICTURE = {"type": "image", "source": {"media_type": "image/png", "data": "aGk="}}
USE = {"type": "tool_use", "id": "t1", "name": "read", "input": {"path": "x"}}
MESSAGES: list[dict[str, Any]] = [
    {"role": "user", "content": [{"type": "text", "text": "look"}, PICTURE]},
    {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}, USE]},
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "a"}]}
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "t1", "is_error": True, "content": [PICTURE]},
            {"type": "tool_result", "tool_use_id": "t1"},
            {"type": "brand_new"},
        ],
    },
]


def test_a_free_answer_has_no_schema_and_any_other_has_its_own() -> None:
    assert schema_page({}) == schema_page({"output_config": {"effort": "high"}}) == ""
    form = {"type": "json_schema", "schema": {"type": "object"}}
    assert schema_page({"output_config": {"format": form}}) == (
        '```json\n{\n "type": "object"\n}\n```'
    )


def test_every_message_stands_under_its_number_with_all_its_blocks() -> None:
    picture = "[image/png: 83 characters of JSON]"
    assert messages_page({"messages": MESSAGES}).split("\n\n") == [
        "## 1. user",
        "look",
        picture,
        "## 2. assistant",
        "### thinking",
        "hm",
        "### calls read (t1)",
        '```json\n{\n "path": "x"\n}\n```',
        "## 3. user",
        "### result of read (t1)",
        "```\na\n```",
        "## 4. user",
        "### result of read (t1) (failed)",
        picture,
        "### result of read (t1)",
        "(nothing)",
        "[brand_new: 24 characters of JSON]",
    ]


def test_only_what_is_new_is_shown_and_its_calls_keep_their_names() -> None:
    page = messages_page({"messages": MESSAGES}, since=2)
    assert page.startswith("## 3. user\n\n### result of read (t1)\n")


def test_the_system_prompt_and_the_tools_are_shown_whole() -> None:
    prompt = [{"type": "text", "text": "Be kind."}, {"type": "text", "text": "Be brief."}]
    assert system_page({"system": prompt}) == "Be kind.\n\nBe brief."
    assert system_page({}) == tools_page({}) == messages_page({}) == ""
    tool: dict[str, object] = {"name": "read", "description": "Reads.", "input_schema": {}}
    page = "# read\n\nReads.\n\n```json\n{}\n```"
    assert tools_page({"tools": [tool, tool]}) == f"{page}\n\n{page}"


def test_what_is_in_another_language_is_written_as_it_is() -> None:
    tool = {"name": "read", "description": "Lit.", "input_schema": {"title": "café"}}
    assert "café" in tools_page({"tools": [tool]})


def test_a_breakpoint_changes_no_word() -> None:
    marked = [{"text": "a", "cache_control": {"type": "ephemeral"}, "n": [1, {"cache_control": 2}]}]
    assert without_marks(marked) == [{"text": "a", "n": [1, {}]}]
