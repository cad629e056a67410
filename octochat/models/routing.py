"""Which model answers: the built-in one by its name, everything else over the API."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from octochat.models.catalogue import bare
from octochat.models.offline import NAME
from octochat.models.port import Delta, Model, Reply, Request


@dataclass(frozen=True, slots=True)
class Routed:
    """A `Model` that hands each request to the one that it names.

    So `/model offline` works in the middle of a session, and back.
    """

    offline: Model
    api: Model

    def reply(self, request: Request) -> AsyncGenerator[Delta | Reply, None]:
        """Stream the answer of the model that the request names.

        Raises:
            ModelError: the call failed.
        """
        chosen = self.offline if bare(request.model) == NAME else self.api
        return chosen.reply(request)
