"""Compressions as cards: what they took, what stands in its place, and whether it came back."""

from dataclasses import replace

from octochat.context.session.edits import Worth
from octochat.context.session.events import (
    Condensed,
    Held,
    Knowledge,
    Reverted,
    Rewound,
    SkillLoaded,
)
from octochat.context.session.tags import SKILL, WORK, tagged
from octochat.frontends.tui.transcript.cards.card import Page
from octochat.models.port import (
    Compressing,
)
from tests.frontends.tui.told import NOON, Told
from tests.frontends.tui.transcript.test_model import lines, shown


def test_a_compression_opens_to_the_note_and_to_what_it_took() -> None:
    told = Told()
    told.opened()
    told.turn()
    told.condensed(2, 3, keep=(2,))
    model = shown(told.entries)
    text = lines(model)
    assert any(
        "◆ Compressed  152.3k → 41.0k" in x and "paid $0.031 · to save $0.800 net" in x
        for x in text
    )
    model.cards[-1].toggle()
    text = lines(model)
    for part in (
        "over level 2",
        "3.7 times smaller (asked for: 4)",
        "Make the retry test steady.",
        "✓ you: Why is the retry test flaky?",
        "· read tests/test_retry.py",
        "cut to 40 tokens",
        "Restore what it took",
    ):
        assert any(part in x for x in text), part


def test_a_compression_tells_which_knowledge_it_dropped_and_which_it_only_doubts() -> None:
    told = Told()
    told.turn()
    told.condensed(1, 2)
    gone = Knowledge("fact", "The port is 80.")
    mine = Knowledge("fact", "Grass is green.", "person")
    last = told.entries[-1]
    assert isinstance(last.event, Condensed)
    event = replace(last.event, outdated=(gone, mine))
    model = shown((*told.entries[:-1], replace(last, event=event)))
    model.cards[-1].toggle()
    text = lines(model)
    assert any("dropped" in x and x.endswith("fact: The port is 80.") for x in text)
    assert any("doubted" in x and "Grass is green. (you added it" in x for x in text)


def test_no_tag_of_a_note_or_a_skill_is_ever_shown() -> None:
    told = Told()
    told.turn()
    told.condensed(1, 2)
    told.add(SkillLoaded("debugging", tagged(SKILL, "# Debugging", {"name": "debugging"})))
    model = shown(told.entries)
    for card in model.cards:
        card.opened = card.whole = True
    text = "\n".join(lines(model))
    assert "start() returns too early" in text
    assert "# Debugging" in text
    for tag in (WORK, SKILL):
        assert tag not in text
        assert not any(tag in card.text() for card in model.cards)


def test_every_request_in_a_note_has_its_line() -> None:
    told = Told()
    told.turn()
    told.condensed(1, 2)
    model = shown(told.entries)
    for card in model.cards:
        card.opened = True
    text = lines(model)
    assert "  │ [#2] Why is the retry test flaky?" in text
    assert "  │ [#9] Make it steady, please." in text


def test_where_a_compression_has_less_room_it_says_less_but_cuts_nothing() -> None:
    told = Told()
    told.turn()
    told.condensed(1, 2)
    model = shown(told.entries)
    head = "◆ Compressed  152.3k → 41.0k"
    for width, rest in {
        94: "  −73 % · level 2  paid $0.031 · expected to save $0.800 net  ▸",
        83: "  −73 % · level 2  paid $0.031 · to save $0.800 net  ▸",
        79: "  −73 %  paid $0.031 · to save $0.800 net  ▸",
        55: "  −73 %  paid $0.031  ▸",
        40: "  −73 %  ▸",
        32: "  ▸",
    }.items():
        assert lines(model, Page(width, NOON))[-1] == head + rest


def test_a_compression_that_is_expected_to_lose_money_says_so() -> None:
    told = Told()
    told.turn()
    event = told.condensed(1, 2).event
    assert isinstance(event, Condensed)
    told.add(replace(event, worth=Worth(0.022, 0.036, 0.006, 5)))
    assert "to lose $0.014 net" in lines(shown(told.entries))[-1]


def test_a_restored_compression_can_not_be_restored_again() -> None:
    told = Told()
    told.turn()
    card = told.condensed(1, 2)
    told.add(Reverted(card.id, None, 152_300))
    model = shown(told.entries)
    for each in model.cards:
        each.opened = True
    text = lines(model)
    assert any("restored" in x for x in text)
    assert not any("Restore what it took" in x for x in text)


def test_undoing_a_restore_makes_the_compression_stand_again() -> None:
    told = Told()
    told.turn()
    card = told.condensed(1, 2)
    told.asks("Next.")
    told.add(Reverted(card.id, None, 151_300, watermark=152_300))
    assert any("restored" in x for x in lines(shown(told.entries)) if "◆" in x)
    told.add(Rewound(card.id))
    text = lines(shown(told.entries))
    assert not any("restored" in x for x in text if "◆" in x)


def test_a_restore_names_the_size_that_the_gauge_shows() -> None:
    told = Told()
    told.turn()
    card = told.condensed(1, 2)
    told.add(Reverted(card.id, None, 151_300, watermark=152_300))
    assert any("context 152.3k" in x for x in lines(shown(told.entries)))


def test_a_compression_under_way_gives_way_to_its_outcome() -> None:
    told = Told()
    told.turn()
    delta = Compressing("pressure", "over level 1", 120_000, 0, 2.0)
    held = told.add(Held("pressure", "it would not pay", watermark=120_000, writer="x", cost=0.01))
    model = shown(told.entries[:-1])
    model.written = lambda: 1_234
    model.show(delta)
    text = lines(model)
    assert any("Compressing  120.0k" in x and x.endswith(" s · Esc stops it") for x in text)
    assert any("over level 1" in x and x.endswith("308 tokens written") for x in text)
    model.show(held)
    text = lines(model)
    assert not any("Compressing" in x for x in text)
    assert any("Not compressed: it would not pay" in x and "paid $0.010" in x for x in text)
