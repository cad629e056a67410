"""Which model answers: the built-in one by its name, everything else over the API."""

from collections.abc import AsyncGenerator

from octochat.model import Delta, Model, Reply, Request
from octochat.models import bare
from octochat.offline import NAME
from octochat.retry import DEFAULT_POLICY, RetryPolicy, retrying


class Routed:
    """A `Model` that hands each request to the one that it names, and tries again where that helps.

    So `/model offline` works in the middle of a session, and back.
    """

    def __init__(self, offline: Model, api: Model, policy: RetryPolicy = DEFAULT_POLICY) -> None:
        self._offline: Model = offline
        self._api: Model = api
        self._policy: RetryPolicy = policy

    def reply(self, request: Request) -> AsyncGenerator[Delta | Reply, None]:
        """Stream the answer of the model that the request names.

        Raises:
            ModelError: the call failed, and its retries did.
        """
        if bare(request.model) == NAME:
            return self._offline.reply(request)
        return retrying(lambda: self._api.reply(request), self._policy)
