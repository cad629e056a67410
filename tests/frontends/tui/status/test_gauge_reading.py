"""The gauge's figures are those of the session."""

import math
from dataclasses import replace
from pathlib import Path

from octochat.context.economics.prices import Prices, Rates, Tier
from octochat.context.session.events import Usage
from octochat.context.strategies.pressure import Pressure
from octochat.frontends.tui.status.gauge_reading import gauge_in, gauge_of
from tests.offline_session import at_home, opened, told

PRICED = Prices((Tier(Rates(4.0, 20.0, 5.0, 8.0, 0.2)),))


async def test_size_parts_levels_and_limit_are_those_of_info(tmp_path: Path) -> None:
    with at_home(tmp_path) as work:
        session = opened(work)
        await told(session, "hello there")
        gauge, info = gauge_of(session), session.info
        assert (gauge.size, gauge.limit, gauge.model) == (info.size, info.limit, "offline")
        assert sum(part.tokens for part in gauge.parts) == gauge.size
        assert gauge.levels == tuple(level.threshold for level in info.levels)
        assert gauge.warm_until is None
        await session.close()


async def test_the_next_request_is_dearer_when_the_cache_is_cold(tmp_path: Path) -> None:
    with at_home(tmp_path) as work:
        session = opened(work)
        await told(session, "hello there")
        state = session.situation.state
        ledger = replace(state.ledger, usage=Usage(cache_write=4_000), last_call=100.0, ttl=300)
        sent = replace(state, sent=state.view, ledger=ledger)
        warm = replace(session.situation, state=sent, prices=PRICED, now=101.0)
        cold = replace(warm, now=401.0)
        assert 0 < warm.cached <= sent.context
        millionths = warm.cached * 0.2 + (sent.context - warm.cached) * 5.0
        dollars = gauge_in(warm, (Pressure(),)).next_warm
        assert dollars is not None
        assert math.isclose(dollars, millionths / 1_000_000)
        later = gauge_in(cold, (Pressure(),))
        assert later.next_warm == later.next_cold == sent.context * 5.0 / 1_000_000
        assert gauge_in(warm, ()).warm_until == 400.0
        assert later.warm_until == cold.now
        await session.close()


async def test_an_unpriced_model_has_no_next_cost_and_no_pressure_no_levels(
    tmp_path: Path,
) -> None:
    with at_home(tmp_path) as work:
        session = opened(work)
        gauge = gauge_in(replace(session.situation, prices=Prices()), ())
        assert (gauge.next_warm, gauge.next_cold, gauge.levels) == (None, None, ())
        await session.close()


async def test_a_free_model_has_no_cache_to_wait_for(tmp_path: Path) -> None:
    with at_home(tmp_path) as work:
        session = opened(work)
        await told(session, "hello there")
        state = session.situation.state
        ledger = replace(state.ledger, usage=Usage(cache_write=4_000), last_call=100.0, ttl=300)
        used = replace(state, sent=state.view, ledger=ledger)
        gauge = gauge_in(replace(session.situation, state=used, now=101.0), ())
        assert (gauge.warm_until, gauge.next_warm, gauge.next_cold) == (None, None, None)
        await session.close()
