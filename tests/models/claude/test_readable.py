"""The schema that an answer is held to, as a person reads it."""

from octochat.models.claude.readable import schema_page


def test_a_free_answer_has_no_schema_and_any_other_has_its_own() -> None:
    assert schema_page({}) == schema_page({"output_config": {"effort": "high"}}) == ""
    form = {"type": "json_schema", "schema": {"type": "object"}}
    assert schema_page({"output_config": {"format": form}}) == (
        '```json\n{\n "type": "object"\n}\n```'
    )
