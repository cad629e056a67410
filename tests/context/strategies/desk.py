"""A session over the real client and the loopback server, with strategies at work."""

from collections.abc import Sequence

from octochat.config.compression import DecisionModel
from octochat.context.economics.prices import UNPRICED
from octochat.context.economics.worth import Writer
from octochat.context.plans.strategy import Strategy
from octochat.context.session.content import Text
from octochat.context.session.events import Condensed, Opened
from octochat.context.session.view import Note
from octochat.engine.compress import Compressor
from octochat.engine.loop import Engine
from octochat.engine.policy import ContextPolicy
from octochat.engine.ports import Ports
from octochat.models.catalogue import info
from octochat.models.claude.model import Claude
from octochat.models.port import Delta
from octochat.storage.log import Log
from octochat.summaries.summariser import Summariser
from tests.claude_talk import SYSTEM
from tests.laws.world import Willing, weigh
from tests.server import ClaudeServer

MODEL = "claude-opus-5-5"
LONG = [f"question {n} " + "of many words " * 500 for n in range(8)]
"""Prompts of about 1,760 tokens."""


class Desk:
    """A session over the real client with these strategies."""

    def __init__(self, server: ClaudeServer, *strategies: Strategy) -> None:
        self.claude = Claude(environment=server.env)
        self.heard: list[Delta] = []
        self.log = Log(None, weigh=weigh, clock=lambda: 0.0)
        self.log.append(Opened(MODEL, SYSTEM))
        rules = ContextPolicy(strategies, 0, 0, 20_000, 4_000, writers, False, 1.0)
        summariser = Summariser(
            self.claude,
            info,
            DecisionModel(max_retries=0),
            lambda text: len(text) // 4,
            retention=10,
        )
        ports = Ports(
            model=self.claude,
            tools={},
            permission=Willing(),
            keeper=Compressor(rules, summariser, weigh, lambda text: len(text) // 4),
            clock=lambda: 0.0,
            info=info,
            used=lambda before, event: None,
            mask_secrets=True,
        )
        self.engine = Engine(self.log, ports, max_tokens=20_000, ttl=300)

    async def say(self, *texts: str) -> None:
        for text in texts:
            async for item in self.engine.turn((Text(text),)):
                if isinstance(item, Delta):
                    self.heard.append(item)

    @property
    def summaries(self) -> list[Note]:
        """The notes that the view has now."""
        units = self.engine.state.view.units
        return [unit for unit in units if isinstance(unit, Note)]

    @property
    def condensed(self) -> Sequence[Condensed]:
        return [e.event for e in self.log.entries if isinstance(e.event, Condensed)]


def writers(model: str) -> tuple[Writer, ...]:
    return (Writer(model, UNPRICED, shares_cache=True),)
