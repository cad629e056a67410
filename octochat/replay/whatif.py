"""What other strategies would have cost in this very session (`/whatif`, `replay --session`).

It works on the entries of a session in memory and takes seconds: run it in a thread.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from octochat.config.load import Config
from octochat.config.profiles import PROFILES
from octochat.context.session.events import Entry
from octochat.replay.contenders import setting_of
from octochat.replay.lab import NONE, Contender, Experiment, run
from octochat.replay.read_log import transcribed
from octochat.replay.report import ContenderRow, sections
from octochat.replay.table import COLUMNS, aligned

YOURS = "yours"
"""The pipeline that the configuration asks for."""
SHOWN = ("of none", "far", "cost", "edits", "mean", "peak")
"""The columns, from the one that tells most."""


def whatif(name: str, entries: Iterable[Entry], config: Config, model: str, width: int) -> str:
    """A table of what the session would have cost and forgotten with every strategy.

    Your own row is marked; of rows that are equal one stands there, and the others are named below.

    Args:
        name: The session's id.
        entries: Its log, as far as it goes.
        config: The settings of the strategies.
        model: Whose prices hold.
        width: Cells in which the table must fit: as many columns are shown.

    Raises:
        ReadError: the log has no opening.
    """
    setting = setting_of(config, model, None)
    yours = Contender(YOURS, config.pipeline, setting)
    others = (Contender(name, (strategy,), setting) for name, strategy in config.strategy.items())
    experiment = Experiment((yours, *_profiles(config, model), *others), setting, 0.0)
    names = (NONE, YOURS, *(contender.name for contender in experiment.contenders[1:]))
    (section, *_) = sections([run(experiment, transcribed(name, entries))], names)
    alike = _alike(section.rows)
    rows = tuple(_marked(row) for row, _ in alike)
    left_out = [_left_out(row, names) for row, names in alike if names]
    tables = [
        aligned(
            replace(section, rows=rows),
            [column for column in COLUMNS if column.title in SHOWN[:number]],
        ).partition("\n")[2]
        for number in range(len(SHOWN), 0, -1)
    ]
    table = next((table for table in tables if _width(table) <= width), tables[-1])
    return "\n".join([table, *left_out])


def _alike(rows: Iterable[ContenderRow]) -> Sequence[tuple[ContenderRow, Sequence[str]]]:
    """The rows that differ, each with the names of those that are equal to it."""
    columns = [column for column in COLUMNS if column.title in SHOWN]
    groups: list[tuple[ContenderRow, list[str]]] = []
    equal: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        cells = tuple(column.cell(row) for column in columns)
        if row.name in {NONE, YOURS} or cells not in equal:
            equal[cells] = []
            groups.append((row, equal[cells]))
        else:
            equal[cells].append(row.name)
    return groups


def _marked(row: ContenderRow) -> ContenderRow:
    return replace(row, name=f"{'›' if row.name == YOURS else ' '} {row.name}")


def _left_out(row: ContenderRow, names: Sequence[str]) -> str:
    return f"Equal to {row.name}, and left out: {len(names)} ({', '.join(names)})."


def legend(table: str) -> Iterator[str]:
    """What the columns of a table of `whatif` mean, those that it has."""
    head = table.split("\n", maxsplit=1)[0]
    for column in COLUMNS:
        if column.title in SHOWN and column.title in head:
            yield f"{column.title}: {column.meaning}"


def _profiles(config: Config, model: str) -> Iterator[Contender]:
    """Your pipeline with each of the profiles."""
    for name in PROFILES:
        made = config.with_profile(name)
        yield Contender(name, made.pipeline, setting_of(made, model, None))


def _width(table: str) -> int:
    return max(map(len, table.split("\n")))
