"""How models are named: by their API, with a provider before, or as a seat. Pure text."""

import re

_PROVIDER = re.compile(r"^(anthropic|octochat)[:/]")
_SEAT = "seat"
_SEATED = "claude-sonnet-5-5"
"""The model that the plain `seat` plays."""


def bare(name: str) -> str:
    """A model's name as the API takes it: `anthropic:claude-haiku-4-5` without its provider.

    Other colons stay: local servers have names like `qwen3:8b`. A seat has the name of the model
    that it plays.
    """
    plain = _PROVIDER.sub("", name.strip())
    return seat(_SEATED) if plain in (_SEAT, seat("")) else plain


def seat(name: str) -> str:
    """The name of the seat that plays this model (docs/seat.md)."""
    return f"{_SEAT}:{name}"


def played(name: str) -> str:
    """The model that the seat of this name plays; empty if it is the name of no seat."""
    kind, _, model = bare(name).partition(":")
    return model if kind == _SEAT else ""
