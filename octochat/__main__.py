"""`python -m octochat`."""

import sys

from octochat.cli import main

sys.exit(main())
