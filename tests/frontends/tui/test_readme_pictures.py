"""The two pictures of README.md: work, and a compression that is open. Each was looked at."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from octochat.context.session.content import Text, ToolCall
from octochat.context.session.edits import Fold
from octochat.context.session.events import Condensed, Returned
from octochat.frontends.tui.transcript.cards.compression import CompressionCard
from tests.frontends.tui.canvas import Size, ready, show_gauge
from tests.frontends.tui.stage import built
from tests.frontends.tui.told import Told
from tests.offline_session import at_home

SIZE: Size = (100, 36)
"""Columns and rows in which the work stands whole."""
TESTS = ToolCall("t1", "bash", {"command": "pytest -q tests/test_cart.py"})
EDIT = ToolCall(
    "e1",
    "edit",
    {
        "file_path": "shop/cart.py",
        "old_string": "    if count > DISCOUNT_FROM:",
        "new_string": "    if count >= DISCOUNT_FROM:",
    },
)
AGAIN = ToolCall("t2", "bash", {"command": "pytest -q tests/test_cart.py"})
FAILED = """\
    def test_ten_of_a_kind_are_cheaper():
>       assert discount(10) == 0.1
E       assert 0.0 == 0.1

tests/test_cart.py:21: AssertionError
1 failed, 11 passed in 0.21s
[exit 1 in 0.4 s]"""
PASSED = """\
............                                             [100%]
12 passed in 0.19s"""
DIFF = """\
--- shop/cart.py
+++ shop/cart.py
@@ -14,5 +14,5 @@
 def discount(count: int) -> float:
     \"\"\"The share that is taken off, by how many there are.\"\"\"
-    if count > DISCOUNT_FROM:
+    if count >= DISCOUNT_FROM:
         return DISCOUNT
     return 0.0
"""
NOTE = """\
## Goal
Ten of a kind are sold with a discount, and the tests say so.

Decided: the discount begins **at** ten: `count >= DISCOUNT_FROM`, in `shop/cart.py`
"""


def work() -> Told:
    """A test that fails, a change, and the test that passes."""
    told = Told()
    told.opened()
    told.asks("Ten of a kind should be cheaper, but they are not. Find out why, and fix it.")
    told.says(Text("I run the tests of the cart first."), TESTS, stop="tool_use")
    told.returns(TESTS.id, FAILED, failed=True)
    told.says(
        Text("The discount begins at eleven: `>` leaves out ten itself."), EDIT, stop="tool_use"
    )
    told.add(Returned(EDIT.id, (Text("edited shop/cart.py in 1 place"),), diff=DIFF))
    told.says(Text("Now once more."), AGAIN, stop="tool_use")
    told.returns(AGAIN.id, PASSED)
    told.says(Text("Ten of a kind are **10 % cheaper** now, and all 12 tests pass."))
    return told


def behind_a_compression() -> Told:
    """The same work, compressed, and what is asked next."""
    told = work()
    event = told.condensed(2, 9).event
    assert isinstance(event, Condensed)
    fold = Fold(2, 9, (Text(NOTE),), (2,))
    told.entries[-1] = replace(told.entries[-1], event=replace(event, fold=fold, trims=()))
    told.asks("Now the same for gift cards.")
    told.says(Text("The note says where the discount begins: at ten, in `shop/cart.py`."))
    return told


@pytest.mark.parametrize("told", [work, behind_a_compression])
def test_readme(
    told: Callable[[], Told],
    tmp_path: Path,
    snap_compare: Callable[..., bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TZ", "UTC")
    with at_home(tmp_path) as folder:
        app = built(folder, tmp_path / "data", dark=True)

        async def before(pilot: Pilot[Any]) -> None:
            await ready(app, pilot)
            assert app.pane
            shown = app.pane.transcript
            shown.show_all(told().entries)
            for card in shown.cards:
                if isinstance(card, CompressionCard):
                    card.toggle()
                    shown.model.touched.add(card)
            shown.follow()
            shown.update()
            show_gauge(app)
            await pilot.pause()

        assert snap_compare(app, run_before=before, terminal_size=SIZE)
