"""What is in the context, by part and by unit, and how its size came about."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from math import ceil
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from octochat.commands.reports import describe
from octochat.context.plans.standing import StandingPart
from octochat.context.session.edits import UnitId
from octochat.context.session.events import Entry
from octochat.context.session.state import State
from octochat.context.session.view import Note, Prompt, Step, Unit
from octochat.frontends.tui.render.blocks import FAINT, cells, styled
from octochat.frontends.tui.screens import context_curve as curve
from octochat.frontends.tui.screens.overlay import Overlay
from octochat.frontends.tui.status.gauge import TICK, Gauge, bar, look_of
from octochat.text.figures import tokens
from octochat.text.harmless import harmless

CURVE_LEAST, CURVE_MOST = 3, 14
"""Rows of the curve."""
UNITS_LEAST = 8
"""Units that are in view while the curve takes the rest of the screen, if there are as many."""
AROUND = 11
"""Rows of the frame, the bar, what explains both, and the empty ones."""
BAR = 16
"""Cells of a unit's bar."""
APART = Content("   ")
EIGHTHS = " ▏▎▍▌▋▊▉█"
ROOMY = 22
"""Rows of a screen that has room for an explanation."""


class ContextScreen(Overlay[int | None]):
    """The picture of the context. Gives the unit that is to be shown, or None."""

    DEFAULT_CSS = """
    ContextScreen {
        & > #sheet { padding: 1 2; }
        &.-medium > #sheet { height: 100%; }
        &.-low > #sheet { padding: 0 1; }
        &.-low #curve { display: none; }
        & Static { height: auto; }
        & #told { margin: 0 0 1 0; }
        & #curve { margin: 1 0; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close"),
        Binding("s", "sort", "By size or in order"),
        Binding("p", "pin", "Pin or unpin"),
    ]

    def __init__(
        self,
        gauge: Gauge,
        state: State,
        entries: Sequence[Entry],
        *,
        told: str = "",
        standing: Sequence[StandingPart] = (),
        pin: Callable[[UnitId, bool], object] = lambda _unit, _keep: None,
    ) -> None:
        """`state` is where the log `entries` leads to; `told` says what all this is.

        `standing` is what every request begins with, by section; `pin` pins a unit or lets it go.
        """
        super().__init__()
        self._standing = standing
        self._told = told
        self._gauge = gauge
        self._state = state
        self._pin = pin
        self._pins = set(state.pins)
        self._entries = entries
        self._history: Sequence[curve.Point] = ()
        self._by_size = False

    def compose(self) -> ComposeResult:
        with Vertical(id="sheet", classes="overlay") as sheet:
            gauge = self._gauge
            share = 100 * gauge.size / max(gauge.limit, 1)
            sheet.border_title = Content(
                f"Context · {tokens(gauge.size)} of {tokens(gauge.limit)} tokens ({share:.0f} %)"
            )
            sheet.border_subtitle = Content("Enter shows · p pins · s sorts · Esc closes")
            yield Static(Content.styled(self._told, "$text-muted"), id="told")
            yield Static(id="bar")
            yield Static(id="curve")
            yield OptionList(*self._options())

    async def on_mount(self) -> None:
        """Draw what is known at once, and the history when it has been worked out."""
        self.query_one(OptionList).focus()
        self._history = await asyncio.to_thread(curve.points, self._entries)
        self._draw()

    def on_resize(self, event: events.Resize) -> None:
        """Everything is as wide as the screen; what explains it gives way on a small one."""
        self.query_one("#told").display = bool(self._told) and event.size.height >= ROOMY
        self.call_after_refresh(self._draw)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)

    def action_sort(self) -> None:
        """The largest first, or in the order in which they were said."""
        self._by_size = not self._by_size
        units = self.query_one(OptionList)
        units.clear_options()
        units.add_options(self._options())

    def action_pin(self) -> None:
        """Pin the unit under the cursor, or let it go."""
        units = self.query_one(OptionList)
        if units.highlighted is None:
            return
        option = units.get_option_at_index(units.highlighted)
        unit = int(option.id or 0)
        self._pins ^= {unit}
        self._pin(unit, unit in self._pins)
        largest = max(each.size for each in self._state.view.units)
        if found := self._state.view.unit(unit):
            row = _unit(found, largest, pinned=unit in self._pins)
            units.replace_option_prompt_at_index(units.highlighted, row)

    @on(OptionList.OptionSelected)
    def chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(int(event.option.id or 0))

    def _draw(self) -> None:
        width = self.query_one("#bar").content_size.width
        if not width:
            return
        units = min(len(self._state.view.units), UNITS_LEAST)
        around = AROUND + ceil(cells(self._lasting()) / width)
        around += self.query_one("#told").outer_size.height
        room = self.query_one("#sheet").outer_size.height - around - units
        rows = min(max(room, CURVE_LEAST), CURVE_MOST)
        self.query_one("#bar", Static).update(
            Content("\n").join((bar(self._gauge, width), *self._legend(width)))
        )
        drawn = curve.drawn(self._history, self._gauge.levels, width, rows)
        self.query_one("#curve", Static).update(drawn + Content("\n") + curve.legend(self._history))

    def _legend(self, width: int) -> Iterator[Content]:
        """What the bar shows, and what of it stands there for good."""
        yield _parts(self._gauge, width)
        if self._standing:
            yield self._lasting()

    def _lasting(self) -> Content:
        """What stands in the context for good, by name."""
        each = (f"{harmless(part.name)} {tokens(part.tokens)}" for part in self._standing)
        return Content.styled(f"among them {', '.join(each)}" if self._standing else "", FAINT)

    def _options(self) -> Sequence[Option]:
        state = self._state
        units = state.view.units
        largest = max((unit.size for unit in units), default=1)
        if self._by_size:
            units = tuple(sorted(units, key=lambda unit: -unit.size))
        return [
            Option(_unit(unit, largest, pinned=unit.id in self._pins), str(unit.id))
            for unit in units
        ]


def _parts(gauge: Gauge, width: int) -> Content:
    """The parts beside each other, on as many lines as they take; none is torn apart."""
    shown = [
        styled(look_of(part.name), f" {part.name} ", (tokens(part.tokens), "bold"))
        for part in gauge.parts
    ]
    if gauge.levels:
        levels = ", ".join(map(tokens, gauge.levels))
        shown.append(styled((TICK, "$warning"), (f" compression from {levels}", FAINT)))
    lines: list[list[Content]] = [[]]
    for one in shown:
        if lines[-1] and cells(APART.join([*lines[-1], one])) > width:
            lines.append([])
        lines[-1].append(one)
    return Content("\n").join(APART.join(line) for line in lines)


def _unit(unit: Unit, largest: int, *, pinned: bool) -> Content:
    eighths = max(round(8 * BAR * unit.size / max(largest, 1)), 1)
    drawn = "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()
    mark = ("⚑ ", "$text-warning") if pinned else "  "
    return styled(
        (f"{'#' + str(unit.id):<6}", FAINT),
        (f"{tokens(unit.size):>7} ", "bold"),
        (f"{drawn:<{BAR}}", look_of(_part(unit))[1]),
        " ",
        mark,
        harmless(describe(unit)),
    )


def _part(unit: Unit) -> str:
    """The part of the gauge that a unit belongs to."""
    match unit:
        case Note(kind="skill"):
            return "skills"
        case Note(kind="instructions" | "recalled" as kind):
            return kind
        case Note(kind="tool"):
            return "loaded tools"
        case Note(kind="mode" | "effort"):
            return "conversation"
        case Note():
            return "notes"
        case Prompt() | Step():
            return "conversation"
