"""The comparison as one HTML file that needs nothing else: no script, no link, no font.

Contenders are switched on and off by the style sheet alone.
"""

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from string import Template

from octochat.replay.outcome import Outcome
from octochat.replay.plots import scatter, timeline
from octochat.replay.report import Section
from octochat.replay.spool import Spool
from octochat.replay.table import (
    BASELINES,
    COST,
    INTERVALS,
    MEMORY,
    Column,
    heading,
    remarks,
)

OPEN = 3
"""How many conversations, the longest ones, are unfolded to begin with."""


def page(
    sections: Sequence[Section],
    conversations: Spool,
    faults: Sequence[str],
    world: str,
) -> Iterator[str]:
    """The page, in pieces.

    Args:
        sections: The comparison.
        conversations: `conversation` of each recording, weighed by its tokens.
        faults: What was left out.
        world: What all of it was played in, in words.
    """
    names = [row.name for row in sections[0].rows] if sections else []
    text = files("octochat.replay").joinpath("page.html").read_text("utf-8")
    head, _, tail = text.partition("$conversations")
    yield Template(head).substitute(
        world=escape(world),
        styles="\n".join(_style(number, len(names)) for number in range(len(names))),
        switches="\n".join(_switch(number, name) for number, name in enumerate(names)),
        scatter=scatter(sections[-1].rows) if sections else "",
        scattered=escape(sections[-1].title) if sections else "",
        tables="\n".join(map(_tables, sections)),
        legend="\n".join(
            f"<dt>{escape(title)}</dt><dd>{escape(meaning)}</dd>" for title, meaning in _legend()
        ),
        intervals=escape(INTERVALS),
    )
    longest = conversations.heaviest(OPEN)
    for place, piece in enumerate(conversations):
        yield f"<details{' open' if place in longest else ''}>{piece}</details>\n"
    yield Template(tail).substitute(faults=_faults(faults))


def conversation(outcome: Outcome) -> str:
    """What the page shows of one recording."""
    return (
        f"<summary>{escape(outcome.name)} <small>{outcome.tokens:,} tokens</small></summary>"
        f"{timeline(outcome)}"
    )


def _style(number: int, count: int) -> str:
    """A colour of its own for each contender, evenly around the circle, and its switch."""
    hue = round(360 * number / max(count, 1))
    return (
        f".s{number}{{--ink:hsl({hue} var(--full) var(--light))}}"
        f"body:has(#s{number}:not(:checked)) svg .s{number}{{display:none}}"
    )


def _switch(number: int, name: str) -> str:
    return (
        f'<label class="s{number}"><input type="checkbox" id="s{number}" checked>'
        f"<span>{number + 1}</span>{escape(name)}</label>"
    )


def _legend() -> Iterator[tuple[str, str]]:
    yield from ((column.title, column.meaning) for column in COST + MEMORY)
    yield from BASELINES


def _tables(section: Section) -> str:
    said = " ".join(remarks(section))
    return _table(section, COST) + _table(section, MEMORY) + f"<p>{escape(said)}</p>"


def _table(section: Section, columns: Sequence[Column]) -> str:
    heads = "".join(
        f'<th scope="col" title="{escape(column.meaning)}">{escape(column.title)}</th>'
        for column in columns
    )
    rows = "\n".join(
        f'<tr class="s{number}"><th scope="row"><span>{number + 1}</span>{escape(row.name)}</th>'
        + "".join(f"<td>{escape(column.cell(row))}</td>" for column in columns)
        + "</tr>"
        for number, row in enumerate(section.rows)
    )
    return (
        f'<div class="wide"><table><caption>{escape(heading(section))}</caption>'
        f"<thead><tr><th></th>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _faults(faults: Sequence[str]) -> str:
    if not faults:
        return ""
    items = "".join(f"<li>{escape(fault)}</li>" for fault in faults)
    return f"<h2>Left out</h2><ul>{items}</ul>"
