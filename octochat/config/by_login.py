"""What "auto" means in the settings that go by the kind of login.

After OpenClaw's "Smart defaults" (docs/strategies.md#by-login): what a person wrote wins.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from octochat.config.load import Config
from octochat.context.strategies.ttl_prune import TtlPrune
from octochat.models.login import Login


@dataclass(frozen=True, slots=True)
class LoginDefaults:
    """The defaults for one kind of login."""

    prunes: bool
    """Whether `ttl_prune` is on."""
    keep_warm: int
    """`[cache] keep_warm`, in minutes; 0: off."""


BY_LOGIN: Mapping[Login, LoginDefaults] = {
    "API key": LoginDefaults(prunes=True, keep_warm=30),
    "token": LoginDefaults(prunes=True, keep_warm=60),
    "none": LoginDefaults(prunes=False, keep_warm=0),
}
"""Pruning and heartbeat of the seed's table; it prunes "only for Anthropic API calls"."""
WORDS: Mapping[Login, str] = {
    "API key": "because you log in with an API key",
    "token": "because you log in with a token",
    "none": "because you do not log in to Anthropic",
}


def for_login(config: Config, login: Login) -> Config:
    """The configuration with the login's own value wherever it says "auto"."""
    defaults = BY_LOGIN[login]
    warm, prune = config.cache.keep_warm, config.strategy.get(TtlPrune.name)
    if warm == "auto":
        config = replace(config, cache=replace(config.cache, keep_warm=defaults.keep_warm or "off"))
    if isinstance(prune, TtlPrune) and prune.mode == "auto":
        made = replace(prune, mode="cache-ttl" if defaults.prunes else "off")
        config = replace(config, strategy={**config.strategy, TtlPrune.name: made})
    return config


def origins(written: Config, login: Login) -> tuple[str, ...]:
    """Where the values in force come from, a line each."""
    return tuple(_origins(written, for_login(written, login), login))


def _origins(written: Config, used: Config, login: Login) -> Iterator[str]:
    prune, made = (each.strategy.get(TtlPrune.name) for each in (written, used))
    if (
        isinstance(prune, TtlPrune)
        and isinstance(made, TtlPrune)
        and TtlPrune.name in used.context.strategies
    ):
        why = WORDS[login] if prune.mode == "auto" else "as you set it"
        after = f"cache_ttl, {used.cache_ttl}" if prune.ttl == "auto" else f"{prune.ttl}, as set"
        wait = f"; it waits until the cache is cold ({after})" if made.mode != "off" else ""
        yield f"ttl_prune: {'off' if made.mode == 'off' else 'on'}, {why}{wait}"
    warm = used.cache.keep_warm
    if written.cache.keep_warm != "off":
        why = WORDS[login] if written.cache.keep_warm == "auto" else "as you set it"
        yield f"keep_warm: {warm if warm == 'off' else f'{warm} minutes'}, {why}"
