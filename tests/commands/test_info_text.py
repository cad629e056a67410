"""`/info` in words: Octomind's block to the letter, and the figures below it."""

from dataclasses import replace

from octochat.commands.info_text import info_text
from octochat.context.economics.worth import Writer
from octochat.context.plans.report import info
from octochat.context.plans.situation import Situation
from octochat.context.plans.strategy import Level, Strategy
from octochat.context.session.content import Text
from octochat.context.session.edits import Fold, PromptTrim, ResultTrim, Worth
from octochat.context.session.events import (
    Condensed,
    Entry,
    Event,
    Opened,
    Prompted,
    Replied,
    Reverted,
    Usage,
)
from octochat.context.session.state import replay
from octochat.context.strategies.pressure import Pressure
from tests.build import SONNET

USED = Usage(cache_read=900, cache_write=100, output=50)


def fold(before: int, after: int, saves: float, unit: int = 2) -> Condensed:
    made = Fold(unit, unit, (Text("note"),))
    worth = Worth(saves, 0.0, 0.0, 5)
    return Condensed("pressure", "why", before, after, made, worth=worth, cost=0.01)


def situation(*events: Event) -> Situation:
    head = (Opened("claude-sonnet-5-5", "s"), Prompted((Text("hi"),)))
    reply = Replied((Text("yes"),), usage=USED, cost=0.25)
    all_of_it = (*head, reply, *events)
    state = replay([Entry(n, float(n), 100, event) for n, event in enumerate(all_of_it, 1)])
    return Situation(state, len, now=10.0, prices=SONNET, margin=1_000)


def shown(
    *events: Event, strategies: tuple[Strategy, ...] = (Pressure(),), window: int = 200_000
) -> str:
    return info_text(info(replace(situation(*events), window=window), strategies))


def test_a_level_tells_what_it_was_scaled_from() -> None:
    small = shown(window=32_000)
    assert "  Level 1: 9,600 tokens, 2x (7,550 tokens away; 60,000 -> 9,600 for this" in small
    written = (Pressure(pressure_levels=(Level(20_000, 2.0),)),)
    assert "  Level 1: 20,000 tokens, 2x (17,950 tokens away)\n" in shown(
        strategies=written, window=32_000
    )


def test_the_block_is_the_seeds_to_the_letter() -> None:
    text = shown(
        fold(107_000, 26_750, 0.0125),
        fold(100_000, 32_500, 0.01, unit=4),
        fold(98_500, 24_625, 0.0225, unit=5),
    )
    assert text.startswith(
        "Compression Statistics:\n"
        "  Total compressions: 3\n"
        "  Average reduction: 72.5%\n"
        "  Total tokens saved: 221,625\n"
        "  Cost saved: $0.045\n"
        "\n"
        "  Last compression:\n"
        "    Before: 98,500 tokens\n"
        "    After: 24,625 tokens (4.0x compression)\n"
        "    Cost saved: $0.0225\n"
    )


def test_a_compression_that_was_taken_back_is_not_counted_but_paid() -> None:
    text = shown(fold(100_000, 20_000, 0.5), Reverted(4, None, after=1_000))
    assert text.startswith("Compression Statistics:\n  Total compressions: 0\n\n")
    assert "$0.010 compression" in text


def test_what_was_only_shortened_is_no_compression() -> None:
    text = shown(Condensed("ttl_prune", "why", 90_000, 80_000), fold(80_000, 20_000, 0.5))
    assert "  Total compressions: 1\n  Average reduction: 75.0%\n" in text
    assert "  Total tokens saved: 60,000\n" in text
    assert "  Trims of old results: 1, 10,000 tokens freed" in text


def test_a_cleanup_is_told_with_the_originals_statistics() -> None:
    gone = (ResultTrim("c1", "gone"), PromptTrim(2, "short", results=2))
    made = Condensed("tool_cleanup", "why", 2_000, 1_200, trims=gone)
    told = "    tool_cleanup: 3 tool results cleaned, 800 tokens saved (60% of the context left)\n"
    assert told in shown(made)
    (trimming,) = info(situation(made), ()).compressions.trimmed_by
    assert (trimming.tokens_saved, trimming.compression_ratio) == (800, 0.6)


def test_what_was_expected_to_be_saved_stands_beside_what_was_saved_so_far() -> None:
    told = "  Saved by compressing, its own cost taken off: $0.500 expected over 5 calls; $0.000 so"
    assert told in shown(fold(100_000, 20_000, 0.5))
    assert "Saved by" not in shown()


def test_who_writes_notes_is_told_and_how() -> None:
    figures = info(situation(), (Pressure(),))
    assert "\n  notes: written by code, without a model\n" in info_text(figures)
    two = replace(figures, writers=("haiku", "sonnet"), guidance="Keep it.", writing_ahead=True)
    told = "written by haiku or sonnet, whichever is cheaper, with your guidance; one is written"
    assert f"\n  notes: {told} ahead\n" in info_text(two)
    writer = Writer("haiku", SONNET, shares_cache=False)
    assert info(replace(situation(), writers=(writer,)), ()).writers == ("haiku",)


def test_a_loss_is_a_loss() -> None:
    assert "  Cost saved: -$0.10\n" in shown(fold(100, 50, -0.1))


def test_context_levels_outlook_and_money_follow() -> None:
    text = shown()
    assert "Context: 2,050 of 180,000 tokens (window 200,000)" in text
    assert "  Level 1: 60,000 tokens, 2x (57,950 tokens away)" in text
    assert "  pressure: holds: 2,050 tokens are below the first level (60,000)" in text
    assert "Model: claude-sonnet-5-5 ($2 in, $10 out" in text
    assert "  Tokens: 0 in, 900 read from the cache, 100 written to it, 50 out" in text
    assert "  Cache hit rate: 90.0% (now warm)" in text
    assert "  Cost: $0.250 conversation" in text
