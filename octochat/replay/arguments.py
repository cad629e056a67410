"""The arguments of `octochat replay`."""

import argparse
import os
from pathlib import Path

from octochat.replay.readers import PARTS

PACE = 180.0
"""Seconds that a person takes between turns, where no times were recorded."""

DESCRIPTION = """\
Play recorded conversations through context strategies and compare what they cost and what they
lose, without asking any model. Reads octochat's own logs, Messages-API JSONL, and session files of
Claude Code. Beside TALK.jsonl, TALK.qa.json holds questions about it and TALK.compactions.json
the summaries that the recorded agent wrote: both are measured, too."""
EPILOG = """\
examples:
  octochat replay talks/ --strategies pressure,fifo
  octochat replay talk.jsonl --strategies "ttl_prune+pressure,fifo{max_tokens=60000,low_water=0.5}"
  octochat replay talks/ --config a.toml --config b.toml --format html --out lab.html
  octochat replay talks/ --part tuning        (three of four recordings; report on the others)
  octochat replay talks/ --scheduler tcp://10.0.0.5:8786
  octochat replay --session 20261121-0930     (would another strategy have been cheaper here?)"""


def parser() -> argparse.ArgumentParser:
    """Reads the command line."""
    made = argparse.ArgumentParser(
        prog="octochat replay",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = made.add_argument
    add("paths", nargs="*", type=Path, metavar="FILE_OR_FOLDER", help="recordings (*.jsonl)")
    add("--session", metavar="ID", help="one of your own sessions, by its ID")
    add(
        "--strategies",
        metavar="A,B,C",
        help="the strategies to compare; one of yours as my_module:DropFailures "
        "(default: every strategy; the "
        "baselines always do)",
    )
    add(
        "--config",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="the pipeline of a configuration file takes part; may be given again",
    )
    add(
        "--model",
        metavar="NAME",
        help="whose prices and window (default: the recorded model's, or claude-sonnet-5-5 where "
        "nobody knows them)",
    )
    add("--window", type=_positive, metavar="N", help="another context window, in tokens")
    add(
        "--pace",
        type=_seconds,
        default=PACE,
        metavar="SECONDS",
        help="time between a person's turns where none was recorded (default: %(default)g)",
    )
    add("--format", choices=("table", "json", "html"), default="table")
    add("--out", type=Path, metavar="FILE", help="file to write to (default: standard output)")
    add(
        "--jobs",
        type=_positive,
        default=os.cpu_count() or 1,
        metavar="N",
        help="number of processes (default: %(default)s)",
    )
    add(
        "--scheduler",
        metavar="ADDRESS",
        help="run on the workers of a Dask cluster (pip install octochat[cluster])",
    )
    add(
        "--part",
        choices=PARTS,
        default="all",
        help="by the sorted names every fourth recording is for reporting, the others for tuning "
        "(default: %(default)s)",
    )
    add("--timing", action="store_true", help="report how long decisions took, too")
    return made


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 <= seconds < float("inf"):
        raise ValueError
    return seconds
