"""The providers of models. A new one is a package beside this file and a line in `PROVIDERS`."""

from collections.abc import Mapping
from typing import Final

from octochat.models.claude.model import Claude
from octochat.models.offline import Offline
from octochat.models.provider import Connect, Known, ProviderSettings
from octochat.models.routing import Routed
from octochat.models.seat.model import Seat

PROVIDERS: Final[tuple[Connect, ...]] = (Offline.connect, Seat.connect, Claude.connect)
"""The first one that serves a model's name answers for it; the last one serves every name."""


def connected(settings: ProviderSettings, known: Known, environment: Mapping[str, str]) -> Routed:
    """All providers as one model."""
    return Routed(tuple(connect(settings, known, environment) for connect in PROVIDERS))
