"""`octochat search`: finds what was said and done in the sessions of this folder, or in all."""

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence

from octochat.commands.search_text import found_data, found_text
from octochat.memory.all_sessions import Where, search
from octochat.text.exit_codes import FAILED, OK


def main(words: Sequence[str]) -> int:
    """Print what was found; returns the exit code: 1 where that is nothing."""
    said = parser().parse_args(words)
    folder = "" if said.everywhere else os.path.realpath(".")
    found = search(" ".join(said.words), Where(folder))
    if said.json:
        print(json.dumps(found_data(found)))
    else:
        print(found_text(found, time.time()), file=sys.stdout if found.hits else sys.stderr)
    return OK if found.hits else FAILED


def parser() -> argparse.ArgumentParser:
    """The arguments of `octochat search`."""
    made = argparse.ArgumentParser(
        "octochat search",
        description="Find what was said and done in the sessions of this folder.",
        epilog="Words count in any of their forms; for an exact phrase: octochat search '\"...\"'. "
        "Exit codes: 0 found, 1 not found, 2 wrong arguments.",
    )
    made.add_argument("words", nargs="+", metavar="WORDS", help="what to look for")
    made.add_argument("--everywhere", action="store_true", help="in the sessions of all folders")
    made.add_argument("--json", action="store_true", help="as one JSON object")
    return made
