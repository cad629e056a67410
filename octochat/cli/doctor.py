"""`octochat doctor`: whether octochat can work here, and what to do where it can't."""

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path

from octochat.doctor.examine import data, examined, faults, report
from octochat.doctor.finding import Patient
from octochat.text.exit_codes import FAILED, OK


def main(words: Sequence[str]) -> int:
    """Print what was found; returns the exit code: 1 if something wants to be done."""
    said = parser().parse_args(words)
    folder = Path(os.path.realpath("."))
    found = examined(Patient(folder, said.config, online=said.online))
    print(json.dumps(data(found), ensure_ascii=False, indent=1) if said.json else report(found))
    return FAILED if faults(found) else OK


def parser() -> argparse.ArgumentParser:
    """The arguments of `octochat doctor`."""
    made = argparse.ArgumentParser(
        "octochat doctor",
        description="Look at the configuration and where its values come from, the key, the server "
        "and the model, the terminal, the folders and their room, sessions and indexes, skills and "
        "strategies, and say what to do. Nobody is contacted, unless --online is given.",
        epilog="Exit codes: 0 fine, 1 something wants to be done, 2 wrong arguments.",
    )
    made.add_argument("--json", action="store_true", help="as one JSON object")
    made.add_argument(
        "--online", action="store_true", help="ask the configured server whether it knows the model"
    )
    made.add_argument("--config", metavar="FILE", type=Path, help="as for the chat")
    return made
