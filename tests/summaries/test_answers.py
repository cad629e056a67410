"""What is made of a summariser's answer, whatever form it has."""

import json
from typing import Any, cast

import pytest

from octochat.context.session.events import Knowledge
from octochat.summaries.answers import OUTCOME_SCHEMA, SCHEMA, read_answer, read_paragraph
from octochat.summaries.refusals import RefusedError, UnusableError

FULL = {
    "should_compress": True,
    "reason": "long",
    "goal": "Mend the parser.",
    "progress": ["The lexer works.", "The tests of `parse.py` fail."],
    "decisions": ["A hand-written parser, because of the errors."],
    "constraints": ["Never touch vendor/."],
    "questions": ["Which Python?"],
    "next_steps": ["Write the test."],
    "knowledge": [{"kind": "constraint", "text": "vendor/ is  not ours"}],
    "outdated": [2],
}


def said(text: str) -> list[tuple[str, str]]:
    return [(line.title, line.text) for line in read_answer(text).sections]


WHOLE = [
    ("Goal", "Mend the parser."),
    ("State and progress", "The lexer works."),
    ("State and progress", "The tests of `parse.py` fail."),
    ("Decisions", "A hand-written parser, because of the errors."),
    ("Constraints and preferences", "Never touch vendor/."),
    ("Open questions", "Which Python?"),
    ("Next steps", "Write the test."),
]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(FULL),
        json.dumps(FULL, indent=2),
        f"Here is the summary {{as asked}}:\n```json\n{json.dumps(FULL)}\n```\nGood luck!"[30:],
        f"Sure!\n\n{json.dumps(FULL)}",
        json.dumps(FULL)[:-1] + ",}",
        json.dumps({**FULL, "progress": "- The lexer works.\n- The tests of `parse.py` fail."}),
        json.dumps({"should_compress": True, "sections": FULL}),
    ],
)
def test_json_is_found_in_fences_in_prose_and_with_small_faults(text: str) -> None:
    assert said(text) == WHOLE


def test_knowledge_is_read_with_its_kind_and_an_unknown_kind_is_a_fact() -> None:
    odd = {**FULL, "knowledge": [*cast("list[Any]", FULL["knowledge"]), "plain", {"kind": "x"}, 3]}
    assert read_answer(json.dumps(odd)).knowledge == (
        Knowledge("constraint", "vendor/ is not ours"),
        Knowledge("fact", "plain"),
    )


def test_what_holds_no_longer_is_named_by_number_in_whatever_form() -> None:
    odd = {**FULL, "outdated": [2, "3", "#4", "none", True, 1.5]}
    assert read_answer(json.dumps(odd)).outdated == (2, 3, 4)
    assert read_answer(json.dumps({**FULL, "outdated": "2"})).outdated == ()


def test_the_answer_on_a_task_that_is_done_has_sections_of_its_own() -> None:
    answer = {"goal": "Ship it.", "outcomes": ["It is out."], "verified": ["All tests pass."]}
    sections = [("Goal", "Ship it."), ("Outcomes", "It is out."), ("Verified", "All tests pass.")]
    assert said(json.dumps(answer)) == sections
    assert said("## Outcomes\nIt is out.\n## Verified\nAll tests pass.") == sections[1:]


@pytest.mark.parametrize("length", range(60, len(json.dumps(FULL)), 7))
def test_json_that_breaks_off_anywhere_gives_what_had_come(length: int) -> None:
    lines = said(json.dumps(FULL)[:length])
    whole = [text for _, text in WHOLE]
    assert lines
    assert all(any(mine.startswith(text) for mine in whole) for _, text in lines)


def test_a_no_is_a_no_and_needs_no_summary() -> None:
    answer = read_answer('{"should_compress": false, "reason": "The person quotes it."}')
    assert not answer.should_compress
    assert answer.reason == "The person quotes it."


def test_prose_with_headings_goes_under_the_sections_it_means() -> None:
    text = "## Goal\nMend it.\n\n**Next steps:**\n1. Test.\n\n### Key decisions\n- Keep X."
    assert said(text) == [("Goal", "Mend it."), ("Decisions", "Keep X."), ("Next steps", "Test.")]


def test_prose_without_headings_is_progress() -> None:
    assert said("The parser was mended { and } tested.") == [
        ("State and progress", "The parser was mended { and } tested.")
    ]


@pytest.mark.parametrize(
    "text",
    ["", "  \n ", "{}", '{"should_compress": true, "goal": ""}', "I'm sorry, I can't do that."],
)
def test_nothing_a_refusal_and_an_error_are_of_no_use(text: str) -> None:
    with pytest.raises(UnusableError):
        read_answer(text)


@pytest.mark.parametrize("text", ["", "```\n```", "Error: overloaded", "I cannot help with that."])
def test_a_paragraph_must_say_something(text: str) -> None:
    with pytest.raises(UnusableError):
        read_paragraph(text)


def test_a_paragraph_loses_its_fences_and_its_line_breaks() -> None:
    assert read_paragraph("```text\nAll is\nwell.\n```") == "All is well."


@pytest.mark.parametrize(
    "text",
    [
        "I can't help with that.",
        "I can\u2019t help with that.",
        "I'm sorry, but I won't summarise this conversation.",
        "**I apologize**, this is against my guidelines.",
        "I'm sorry, but I can't assist with that request. " + "Let me explain my reasons. " * 40,
        json.dumps({"goal": "I'm sorry, but I can't help with that.", "progress": []}),
    ],
)
def test_a_refusal_in_words_is_no_summary(text: str) -> None:
    with pytest.raises(RefusedError, match="the summariser answered"):
        read_answer(text)
    if not text.startswith("{"):
        with pytest.raises(RefusedError):
            read_paragraph(text)


@pytest.mark.parametrize(
    "text",
    [
        "Sorry for the wrong path earlier: it is src/a.py. " + "All its tests pass now. " * 30,
        json.dumps({"goal": "Find out why the API says: I'm sorry, I can't help with that."}),
        json.dumps({"goal": "Mend it.", "progress": ["I cannot reach the server."]}),
    ],
)
def test_a_summary_that_tells_of_an_apology_is_one(text: str) -> None:
    assert read_answer(text).sections


ECHOES = (
    "<work-so-far>\n## Goal\nShip it.\n## Next steps\n- Test it.\n</work-so-far>",
    "<work-so-far>\n## Goal\nShip it.\n## Next steps\n- Test it.</work-so-far>",
    '{"goal": "<work-so-far> Ship it.", "next_steps": ["Test it.</work-so-far>"]}',
    '<work-so-far>{"goal": "Ship it.", "next_steps": ["Test it.", "</work-so-far>"]}</work-so-far>',
)


@pytest.mark.parametrize("text", ECHOES)
def test_tags_that_a_model_repeats_from_its_context_go_into_no_note(text: str) -> None:
    assert [line.text for line in read_answer(text).sections] == ["Ship it.", "Test it."]


def test_a_repeated_tag_goes_from_knowledge_and_paragraphs_but_talk_of_one_stays() -> None:
    said = {"kind": "fact", "text": "Port 80. </work-so-far>"}
    known = read_answer(json.dumps({"goal": "x", "knowledge": [said]})).knowledge
    assert [each.text for each in known] == ["Port 80."]
    assert read_paragraph("<work-so-far>\nIt works.\n</work-so-far>") == "It works."
    assert read_paragraph("The </work-so-far> tag ends it.") == "The </work-so-far> tag ends it."


def test_every_object_of_the_schema_is_closed_and_asks_for_all_its_fields() -> None:
    def check(schema: Any) -> None:
        if isinstance(schema, dict):
            tree = cast("dict[str, Any]", schema)
            if tree.get("type") == "object":
                assert tree["additionalProperties"] is False
                assert set(tree["required"]) == set(tree["properties"])
            for inner in tree.values():
                check(inner)

    check(SCHEMA)
    check(OUTCOME_SCHEMA)
    assert set(cast("dict[str, Any]", SCHEMA["properties"])) == set(FULL)
