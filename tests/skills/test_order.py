"""Orders about skills, as people and models write them."""

import pytest

from octochat.skills.order import SkillOrder, order, order_in


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("skill(list)", SkillOrder("list")),
        (" skill( use  git-commit ) ", SkillOrder("use", "git-commit")),
        ('skill(use "git-commit")', SkillOrder("use", "git-commit")),
        ("skill(forget, x)", SkillOrder("forget", "x")),
        ("skill(use)", SkillOrder("use")),
        ("skill(forget)", SkillOrder("forget")),
        ('skill(action="forget", name="x")', SkillOrder("forget", "x")),
        ("skill(action='use', name='name')", SkillOrder("use", "name")),
        ("skill(action=forget)", SkillOrder("forget")),
        ("skill(action='dance', name='x')", None),
        ("what does skill(list) do?", None),
        ("skill(drop x)", None),
        ("skill(user)", None),
        ("/skill list", None),
    ],
)
def test_the_typed_forms_are_orders_and_nothing_else_is(
    text: str, wanted: SkillOrder | None
) -> None:
    assert order_in(text) == wanted


def test_an_unknown_action_is_no_order() -> None:
    assert order("destroy", "x") is None
    assert order("Use", " x ") == SkillOrder("use", "x")
