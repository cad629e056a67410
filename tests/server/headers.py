"""What the headers of a request must say: who asks, which version, which betas."""

from collections.abc import Mapping

from tests.server.offers import INLINE_BETA, TOOLS_BETA
from tests.server.refusal import ApiRefusal
from tests.server.validate import BINDING_BETA, COMPACT_BETA, EFFORT_BETA

VERSIONS = ("2023-06-01", "2026-10-21")
"""What raw clients and the SDK send."""
BETAS = frozenset(
    {
        BINDING_BETA,
        COMPACT_BETA,
        EFFORT_BETA,
        INLINE_BETA,
        TOOLS_BETA,
        "cache-diagnosis-2026-04-07",
        "context-1m-2025-08-07",
        "extended-cache-ttl-2025-04-11",
        "interleaved-thinking-2025-05-14",
        "model-context-window-exceeded-2025-08-26",
        "prompt-caching-2024-07-31",
        "structured-outputs-2025-11-13",
        "token-counting-2024-11-01",
    }
)
"""The betas that this server knows; any other is refused, for it would not be simulated."""


def check_headers(headers: Mapping[str, str], api_key: str) -> frozenset[str]:
    """The request's betas.

    Raises:
        ApiRefusal: 401 without the right key, 400 for a missing version or an unknown beta.
    """
    bearer = headers.get("authorization", "").removeprefix("Bearer ")
    key = headers.get("x-api-key") or bearer
    if not key:
        raise ApiRefusal("x-api-key header is required", status=401)
    if key != api_key:
        raise ApiRefusal("invalid x-api-key", status=401)
    if headers.get("anthropic-version") not in VERSIONS:
        raise ApiRefusal(f"anthropic-version: header is required: one of {VERSIONS}")
    betas = frozenset(
        beta.strip() for beta in headers.get("anthropic-beta", "").split(",") if beta.strip()
    )
    if unknown := sorted(betas - BETAS):
        raise ApiRefusal(
            f"Unexpected value(s) `{'`, `'.join(unknown)}` for the `anthropic-beta` header."
        )
    return betas
