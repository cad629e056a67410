"""The simulated prompt cache follows the API's rules."""

from octochat.context.session.events import Usage
from octochat.models.prompt_cache import CacheBlock, PromptCache, Reading


def parts(*digests: int, tokens: int = 1_000) -> tuple[CacheBlock, ...]:
    return tuple(CacheBlock(digest, tokens) for digest in digests)


def cache(minimum: int = 0, ttl: int = 300) -> PromptCache:
    return PromptCache(minimum, ttl)


def test_the_first_request_writes_up_to_its_last_breakpoint() -> None:
    assert cache().ask(parts(1, 2, 3), (1,), 0.0).usage == Usage(fresh=1_000, cache_write=2_000)


def test_a_longer_request_reads_what_it_shares_and_writes_the_rest() -> None:
    kept = cache()
    kept.ask(parts(1, 2), (1,), 0.0)
    reading = kept.ask(parts(1, 2, 3), (2,), 10.0)
    assert reading == Reading(Usage(cache_read=2_000, cache_write=1_000))


def test_an_entry_dies_when_its_time_is_over() -> None:
    kept = cache(ttl=300)
    kept.ask(parts(1), (0,), 0.0)
    assert kept.ask(parts(1), (0,), 300.0).usage == Usage(cache_write=1_000)


def test_reading_keeps_an_entry_alive() -> None:
    kept = cache(ttl=300)
    for now in (0.0, 200.0, 400.0):
        reading = kept.ask(parts(1), (0,), now)
    assert reading.usage == Usage(cache_read=1_000)


def test_a_change_in_front_breaks_everything_behind_it() -> None:
    kept = cache()
    kept.ask(parts(1, 2, 3), (2,), 0.0)
    reading = kept.ask(parts(9, 2, 3), (2,), 1.0)
    assert reading == Reading(Usage(cache_write=3_000), bust=True, rewritten=2_000)


def test_a_change_is_no_bust_once_the_entry_is_dead() -> None:
    kept = cache()
    kept.ask(parts(1, 2), (1,), 0.0)
    assert not kept.ask(parts(9, 2), (1,), 400.0).bust


def test_an_earlier_breakpoint_saves_the_part_in_front_of_a_change() -> None:
    kept = cache()
    kept.ask(parts(1, 2, 3), (0, 2), 0.0)
    reading = kept.ask(parts(1, 7, 3), (0, 2), 1.0)
    assert reading.usage == Usage(cache_read=1_000, cache_write=2_000)


def test_a_breakpoint_looks_back_over_twenty_blocks_and_no_further() -> None:
    for added, read in ((19, 1), (20, 0)):
        kept = cache()
        kept.ask(parts(0, tokens=1), (0,), 0.0)
        longer = parts(*range(added + 1), tokens=1)
        assert kept.ask(longer, (added,), 1.0).usage.cache_read == read


def test_a_breakpoint_in_between_bridges_a_long_turn() -> None:
    kept = cache()
    kept.ask(parts(0, tokens=1), (0,), 0.0)
    assert kept.ask(parts(*range(31), tokens=1), (15, 30), 1.0).usage.cache_read == 1


def test_a_prefix_below_the_minimum_is_not_cached() -> None:
    kept = cache(minimum=1_500)
    assert kept.ask(parts(1), (0,), 0.0).usage == Usage(fresh=1_000)
    assert kept.ask(parts(1, 2), (0, 1), 1.0).usage == Usage(cache_write=2_000)
    assert kept.ask(parts(1), (0,), 2.0).usage == Usage(fresh=1_000)


def test_a_longer_life_is_billed_as_such() -> None:
    assert cache(ttl=3_600).ask(parts(1), (0,), 0.0).usage == Usage(cache_write_1h=1_000)


def test_what_would_be_read_again_is_known_until_it_dies() -> None:
    kept = cache(ttl=300)
    assert kept.alive(0.0) == 0
    kept.ask(parts(1, 2, 3), (1,), 0.0)
    assert (kept.alive(299.0), kept.alive(300.0)) == (2_000, 0)


def test_a_text_that_is_said_again_is_not_rewritten() -> None:
    kept = cache()
    kept.ask(parts(1, 2), (1,), 0.0)
    assert kept.ask(parts(1, 2, 1), (2,), 1.0).rewritten == 0
    assert kept.ask(parts(1, 2, 1, 3), (3,), 999.0).rewritten == 3_000
