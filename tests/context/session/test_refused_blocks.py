"""A block that the API does not take back goes out no more, and nothing that was bound to it."""

import pytest

from octochat.context.session.content import Block, Opaque, Text, Thinking, ToolCall
from octochat.context.session.events import BlockRefused, Replied, Rewound
from octochat.context.session.state import State
from octochat.context.session.validity import problems
from tests.build import Story

ODD = Opaque({"type": "aside", "note": "hm"})
OTHER = Opaque({"type": "beside"})
CALL = ToolCall("c", "read", {})


def replied(told: Story, *blocks: Block) -> Story:
    digest = told.state.view.digest
    return told.add(5, Replied(blocks, "end_turn", model="m", digest=digest))


def sent(state: State, *, binds: bool = True) -> list[Block]:
    messages = state.view.messages("m", binds=binds)
    assert problems(messages) == ()
    return [b for message in messages if message.role == "assistant" for b in message.blocks]


def test_blocks_of_the_kind_are_left_out_from_then_on_and_others_stay() -> None:
    told = replied(Story().say(), ODD, OTHER, Text("well")).say()
    assert sent(told.state) == [ODD, OTHER, Text("well")]
    told.add(0, BlockRefused("aside"))
    assert sent(told.state) == [OTHER, Text("well")]
    replied(told, Text("so"), ODD).say()
    assert sent(told.state) == [OTHER, Text("well"), Text("so")]
    told.add(0, BlockRefused("beside"))
    assert sent(told.state) == [Text("well"), Text("so")]


@pytest.mark.parametrize("binds", [True, False])
def test_thinking_that_was_bound_to_it_goes_with_it_where_the_model_binds(binds: bool) -> None:
    thought = Thinking("hm", "signed")
    told = replied(Story().say(), ODD, thought, Text("well")).say()
    replied(told, thought, Text("later")).say().add(0, BlockRefused("aside"))
    kept = [] if binds else [thought]
    assert sent(told.state, binds=binds) == [*kept, Text("well"), *kept, Text("later")]
    replied(told, thought, Text("last")).say()
    assert sent(told.state, binds=binds)[-2:] == [thought, Text("last")]


def test_a_reply_of_nothing_else_leaves_a_valid_conversation() -> None:
    told = replied(Story().say(), Thinking("hm", "signed"), ODD).say().add(0, BlockRefused("aside"))
    assert sent(told.state, binds=False) == []


def test_what_is_undone_is_refused_anew() -> None:
    told = replied(Story().say(), ODD, Text("well")).say().add(0, BlockRefused("aside"))
    told.add(0, Rewound(3)).say()
    assert sent(told.state) == [ODD, Text("well")]
