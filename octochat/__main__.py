"""`python -m octochat`."""

import sys

from octochat.cli.main import main

sys.exit(main())
