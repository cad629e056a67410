"""A loopback server that speaks the Claude Messages API and refuses what the real one refuses.

Independent of octochat: it shares no code with what it judges. `python -m tests.server` runs it
as a process of its own.
"""

from tests.server.bill import Charge, Usage, cost
from tests.server.models import TABLE, Prices, ServedModel
from tests.server.refusal import ApiRefusal, Json
from tests.server.script import (
    Call,
    Cut,
    EndEarly,
    ErrorEvent,
    Gate,
    Held,
    Instead,
    Malformed,
    Odd,
    Redacted,
    Reply,
    Reset,
    Say,
    Status,
    Step,
    Think,
    call,
    reply,
    say,
    too_long,
)
from tests.server.server import ClaudeServer, Clock, Exchange
from tests.server.tokens import Ruler

__all__ = [
    "TABLE",
    "ApiRefusal",
    "Call",
    "Charge",
    "ClaudeServer",
    "Clock",
    "Cut",
    "EndEarly",
    "ErrorEvent",
    "Exchange",
    "Gate",
    "Held",
    "Instead",
    "Json",
    "Malformed",
    "Odd",
    "Prices",
    "Redacted",
    "Reply",
    "Reset",
    "Ruler",
    "Say",
    "ServedModel",
    "Status",
    "Step",
    "Think",
    "Usage",
    "call",
    "cost",
    "reply",
    "say",
    "too_long",
]
