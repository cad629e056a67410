"""What the served requests cost: the server's own arithmetic, to hold octochat's against."""

from dataclasses import dataclass

from tests.server.models import ServedModel
from tests.server.refusal import Json


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request, each in exactly one field."""

    input: int = 0
    """Neither read from the cache nor written to it."""
    read: int = 0
    write_5m: int = 0
    write_1h: int = 0
    output: int = 0
    thinking: int = 0
    """How many of the output tokens are reasoning."""

    @property
    def prompt(self) -> int:
        """The whole prompt."""
        return self.input + self.read + self.write_5m + self.write_1h

    def json(self) -> Json:
        """The `usage` object of an answer."""
        return {
            "input_tokens": self.input,
            "cache_creation_input_tokens": self.write_5m + self.write_1h,
            "cache_read_input_tokens": self.read,
            "cache_creation": {
                "ephemeral_5m_input_tokens": self.write_5m,
                "ephemeral_1h_input_tokens": self.write_1h,
            },
            "output_tokens": self.output,
            "output_tokens_details": {"thinking_tokens": self.thinking},
            "service_tier": "standard",
        }


def cost(model: ServedModel, usage: Usage) -> float:
    """Dollars that a request costs."""
    prices = model.price(usage.prompt)
    return (
        usage.input * prices.input
        + usage.output * prices.output
        + usage.write_5m * prices.write_5m
        + usage.write_1h * prices.write_1h
        + usage.read * prices.read
    ) / 1_000_000


@dataclass(frozen=True, slots=True)
class Charge:
    """One line of the bill."""

    message_id: str
    model: str
    usage: Usage
    dollars: float
    request: Json
    """The body, as received."""
