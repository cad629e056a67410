"""A long session whose prompt cache has gone cold, for what a person is offered then."""

from octochat.context.session.content import Text
from octochat.context.session.events import Prompted, Replied
from tests.e2e.home import Home

BY_CODE = '[compression.decision]\nmodel = "offline"\n'
"""Notes are written without a model."""


async def cold_session(at: Home) -> str:
    """Its id. Only after `at.enter`."""
    session = at.open(model="claude-sonnet-5-5")
    for n in range(40):
        session.engine.append(Prompted((Text(f"part {n}: " + "many words " * 500),)))
        session.engine.append(Replied((Text("done"),), model="claude-sonnet-5-5", ttl=0))
    await session.close()
    return session.engine.log.id
