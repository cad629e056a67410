"""The codec between dataclasses and plain trees: round trips, and what it says of wrong input."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Annotated, Any, Literal, TypeAlias, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octochat.context.codec.decode import LARGEST
from octochat.context.codec.trees import Constraint, TreeError, canonical, from_tree, to_tree
from octochat.context.session import content, edits, events
from octochat.context.session.content import Block, Opaque, Text, ToolCall, ToolResult
from octochat.context.session.edits import Fold, NoteRequest, Plan
from octochat.context.session.events import Condensed, Entry, Event, Prompted, Replied, Usage
from tests.effort import lines_run

_numbers = st.floats(allow_nan=False, allow_infinity=False)
_json = st.recursive(
    st.none() | st.booleans() | st.integers() | _numbers | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
st.register_type_strategy(float, st.floats(-LARGEST, LARGEST))
st.register_type_strategy(int, st.integers(-LARGEST, LARGEST))
for module in (content, edits, events):
    for cls in vars(module).values():
        if isinstance(cls, type) and is_dataclass(cls):  # of fields with a default too
            st.register_type_strategy(cls, st.builds(cls, **{f.name: ... for f in fields(cls)}))
st.register_type_strategy(Mapping, st.dictionaries(st.text(), _json, max_size=3))


@dataclass(frozen=True)
class Level:
    threshold: Annotated[int, Constraint("1 or more", lambda n: n >= 1)]
    ratio: float = 2.0

    def __post_init__(self) -> None:
        if self.ratio == self.threshold:
            raise ValueError("ratio and threshold are the same")


Shape: TypeAlias = Text | Opaque
Nested: TypeAlias = Shape | ToolCall


@dataclass(frozen=True)
class Tagged:
    kind: str
    name: str


@dataclass(frozen=True)
class House:
    levels: tuple[Level, ...] = ()
    mode: Literal["5m", "1h"] = "5m"
    on: bool = True
    pair: tuple[int, str] = (0, "")
    names: Mapping[str, Level] | None = None
    said: Nested | str | None = None
    free: object = None
    words: list[str] | int = 0
    note: str = ""
    either: Level | str = ""
    life: Literal["5m", "1h"] | None = None


@settings(deadline=None)
@given(st.from_type(Entry))
def test_every_entry_comes_back_from_json_as_it_was(entry: Entry) -> None:
    text = json.dumps(to_tree(entry))
    assert from_tree(Entry, json.loads(text)) == entry
    assert json.loads(canonical(entry)) == json.loads(text)


_events: st.SearchStrategy[Any] = st.one_of(*map(st.from_type, get_args(Event)))


@settings(deadline=None)
@given(_events)
def test_an_event_alone_is_tagged_when_the_union_is_named(event: Event) -> None:
    assert from_tree(Event, to_tree(event, Event)) == event


@pytest.mark.parametrize(
    "house",
    [
        House(),
        House((Level(3), Level(4, 5.0)), "1h", on=False, pair=(1, "a")),
        House(names={"a": Level(3)}, said=Text("x"), free=[1, {"a": None}], words=["a"]),
        House(said="plain", words=3),
    ],
)
def test_every_kind_of_hint_comes_back(house: House) -> None:
    assert from_tree(House, json.loads(json.dumps(to_tree(house)))) == house


def test_only_a_choice_between_dataclasses_is_tagged() -> None:
    fold = Fold(1, 2, (Text("note"),))
    assert to_tree(fold) == {"first": 1, "last": 2, "note": [{"kind": "text", "text": "note"}]}
    assert to_tree(Condensed("fifo", "full", 9, 5, fold=fold))["fold"] == to_tree(fold)
    assert to_tree(Plan("full", NoteRequest(1, 2, 400)))["fold"]["kind"] == "note_request"
    assert to_tree(Prompted((Text("hi"),))) == {"blocks": [{"kind": "text", "text": "hi"}]}
    assert to_tree(ToolCall("1", "ls"), Block) == {"kind": "tool_call", "id": "1", "name": "ls"}


def test_what_equals_its_default_is_left_out() -> None:
    assert to_tree(Replied((), usage=Usage(fresh=3))) == {"blocks": [], "usage": {"fresh": 3}}


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ([], "expected a table, got a list"),
        ({"levles": []}, 'levles: unknown key (did you mean "levels"?)'),
        ({"zebra": []}, "zebra: unknown key"),
        ({"a b": 1}, '"a b": unknown key'),
        ({"levels": {}}, "levels: expected a list, got a table"),
        ({"levels": [{"threshold": 1}, {}]}, "levels[1].threshold: this key is missing"),
        (
            {"levels": [{"threshold": 1}, {"threshold": True}]},
            "levels[1].threshold: expected a whole number, got true",
        ),
        ({"levels": [{"threshold": 0}]}, "levels[0].threshold: expected 1 or more, got 0"),
        ({"levels": [{"threshold": 2}]}, "levels[0]: ratio and threshold are the same"),
        (
            {"levels": [{"threshold": 1, "ratio": "2"}]},
            'levels[0].ratio: expected a number, got "2"',
        ),
        (
            {"levels": [{"threshold": 1, "ratio": float("nan")}]},
            "levels[0].ratio: expected a number, got nan",
        ),
        ({"mode": "5n"}, 'mode: expected "5m" or "1h", got "5n" (did you mean "5m"?)'),
        ({"on": 1}, "on: expected true or false, got 1"),
        ({"pair": [1]}, "pair: expected 2 values, got 1"),
        ({"pair": [1, 2]}, "pair[1]: expected a string, got 2"),
        (
            {"names": {"a": {"threshold": 1.5}}},
            "names.a.threshold: expected a whole number, got 1.5",
        ),
        ({"names": 3}, "names: expected a table, got 3"),
        ({"said": {"kind": "txt"}}, 'said.kind: unknown kind "txt" (did you mean "text"?)'),
        ({"said": {"text": "x"}}, "said.kind: this key is missing"),
        ({"said": {"kind": "text", "txt": 1}}, 'said.txt: unknown key (did you mean "text"?)'),
        ({"said": 3}, "said: expected a table or a string, got 3"),
        ({"words": [1]}, "words[0]: expected a string, got 1"),
        ({"words": "a"}, 'words: expected a list or a whole number, got "a"'),
        ({"words": ", got"}, 'words: expected a list or a whole number, got ", got"'),
        ({"words": {}}, "words: expected a list or a whole number, got a table"),
        ({"either": {"threshold": 2}}, "either: ratio and threshold are the same"),
        ({"life": "5n"}, 'life: expected "5m" or "1h", got "5n" (did you mean "5m"?)'),
        ({"said": {"kind": "é"}}, 'said.kind: unknown kind "é"'),
        ({"é b": 1}, '"é b": unknown key'),
        ({"on": "é" * 58}, 'on: expected true or false, got "' + "é" * 58 + '"'),
        ({"said": {"kind": "tool_call"}}, "said.id: this key is missing"),
        ({"free": {"x": {1, 2}}}, "free.x: expected a JSON value, got a set"),
        ({"note": None}, "note: expected a string, got nothing"),
        ({"note": list(range(9))}, "note: expected a string, got a list"),
        ({"on": "x" * 99}, 'on: expected true or false, got "' + "x" * 56 + "..."),
    ],
)
def test_a_wrong_tree_is_refused_with(tree: Any, message: str) -> None:
    with pytest.raises(TreeError) as caught:
        from_tree(House, tree)
    assert str(caught.value) == message


def test_the_error_carries_its_path_and_the_near_miss() -> None:
    with pytest.raises(TreeError) as caught:
        from_tree(House, {"levels": [{"treshold": 1}]})
    error = caught.value
    assert (error.path, error.near) == (("levels", 0, "treshold"), "threshold")


def test_each_part_of_a_row_is_written_by_its_own_type_and_none_is_left_out() -> None:
    hint = tuple[str, Shape]
    assert to_tree(("a", Text("b")), hint) == ["a", {"kind": "text", "text": "b"}]
    with pytest.raises(ValueError, match="longer"):
        to_tree(("a", Text("b"), "c"), hint)


def test_what_has_a_rule_is_written_as_what_has_none_and_read_by_it() -> None:
    ruled = Annotated[Shape, Constraint("a text", lambda shape: isinstance(shape, Text))]
    tree = {"kind": "text", "text": "b"}
    assert to_tree(Text("b"), ruled) == tree
    assert from_tree(ruled, tree) == Text("b")
    with pytest.raises(TreeError, match="expected a text, got a table"):
        from_tree(ruled, {"kind": "opaque", "raw": {}})


def test_a_tag_that_a_field_would_hide_is_refused() -> None:
    with pytest.raises(TypeError, match=r"Tagged\.kind would hide the tag"):
        to_tree(Tagged("a", "b"), Text | Tagged)


def test_what_json_cannot_hold_is_refused_when_writing() -> None:
    with pytest.raises(TreeError, match=r"^arguments\.a\[0\]: expected a number, got inf$"):
        to_tree(ToolCall("1", "x", {"a": [float("inf")]}))


def test_canonical_text_does_not_depend_on_the_order_of_keys_and_is_always_encodable() -> None:
    one = ToolCall("1", "x", {"b": "é", "a": 1})
    assert canonical(one) == canonical(ToolCall("1", "x", {"a": 1, "b": "é"}))
    assert canonical(one) == '{"arguments":{"a":1,"b":"é"},"id":"1","name":"x"}'
    broken = Text("\udc80")
    assert from_tree(Text, json.loads(canonical(broken).encode())) == broken


def test_an_entry_is_read_with_little_work() -> None:
    blocks: tuple[Block, ...] = (
        Text("word " * 100),
        ToolCall("1", "bash", {"command": "ls", "env": {"a": "b"}}),
        ToolResult("1", (Text("out"),)),
    )
    tree = to_tree(Entry(1, 1.0, 1, Replied(blocks, usage=Usage(1, 2, 3), model="m", cost=0.1)))
    from_tree(Entry, tree)  # the first makes the decoder
    assert lines_run(lambda: from_tree(Entry, tree)) < 400


def test_the_largest_number_is_the_last_that_a_float_tells_from_the_next() -> None:
    assert float(LARGEST - 1) < float(LARGEST) == float(LARGEST + 1)


@pytest.mark.parametrize("number", [LARGEST + 2, -LARGEST - 2, 1e300])
@pytest.mark.parametrize("hint", [int, float])
def test_numbers_beyond_all_measure_are_refused(hint: type, number: float) -> None:
    with pytest.raises(TreeError):
        from_tree(hint, number)
    assert from_tree(hint, LARGEST) == LARGEST
