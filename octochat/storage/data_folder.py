"""Where octochat keeps what is the user's; light enough for before the first paint."""

import os
from pathlib import Path

from platformdirs import user_data_path

VARIABLE = "OCTOCHAT_DATA_DIR"


def data_folder() -> Path:
    """Where octochat keeps what is the user's: `OCTOCHAT_DATA_DIR` or the platform's folder."""
    named = os.environ.get(VARIABLE)
    return Path(named).expanduser() if named else user_data_path("octochat")
