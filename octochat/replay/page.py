"""The comparison as one HTML file that needs nothing else: no script, no link, no font.

Contenders are switched on and off by the style sheet alone.
"""

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from string import Template

from octochat.replay.outcome import Outcome
from octochat.replay.plots import scatter, timeline
from octochat.replay.report import Section
from octochat.replay.table import COLUMNS

OPEN = 3
"""How many conversations, the longest ones, are unfolded to begin with."""


def page(
    sections: Sequence[Section], outcomes: Sequence[Outcome], faults: Sequence[str], world: str
) -> str:
    """The page.

    Args:
        sections: The comparison.
        outcomes: The recordings.
        faults: What was left out.
        world: What all of it was played in, in words.
    """
    names = [row.name for row in sections[0].rows] if sections else []
    template = Template(files("octochat.replay").joinpath("page.html").read_text("utf-8"))
    return template.substitute(
        world=escape(world),
        styles="\n".join(_style(number, len(names)) for number in range(len(names))),
        switches="\n".join(_switch(number, name) for number, name in enumerate(names)),
        scatter=scatter(sections[-1].rows) if sections else "",
        scattered=escape(sections[-1].title) if sections else "",
        tables="\n".join(map(_table, sections)),
        legend="\n".join(
            f"<dt>{escape(column.title)}</dt><dd>{escape(column.meaning)}</dd>"
            for column in COLUMNS
        ),
        conversations=_conversations(outcomes),
        faults=_faults(faults),
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


def _table(section: Section) -> str:
    heads = "".join(
        f'<th scope="col" title="{escape(column.meaning)}">{escape(column.title)}</th>'
        for column in COLUMNS
    )
    rows = "\n".join(
        f'<tr class="s{number}"><th scope="row"><span>{number + 1}</span>{escape(row.name)}</th>'
        + "".join(f"<td>{escape(column.cell(row))}</td>" for column in COLUMNS)
        + "</tr>"
        for number, row in enumerate(section.rows)
    )
    caption = f"{section.title}: {section.recordings} with {section.calls:,} calls"
    return (
        f'<div class="wide"><table><caption>{escape(caption)}</caption>'
        f"<thead><tr><th></th>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _conversations(outcomes: Sequence[Outcome]) -> str:
    longest = sorted(outcomes, key=lambda outcome: -outcome.tokens)[:OPEN]
    return "\n".join(
        f"<details{' open' if outcome in longest else ''}><summary>{escape(outcome.name)} "
        f"<small>{outcome.tokens:,} tokens</small></summary>{timeline(outcome)}</details>"
        for outcome in outcomes
    )


def _faults(faults: Sequence[str]) -> str:
    if not faults:
        return ""
    items = "".join(f"<li>{escape(fault)}</li>" for fault in faults)
    return f"<h2>Left out</h2><ul>{items}</ul>"
