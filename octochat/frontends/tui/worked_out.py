"""Cards that take a moment to work out, made aside: the changes, what other strategies cost."""

import asyncio

from octochat.commands.session_diff import net_changes
from octochat.frontends.tui.screens.whatif import compared
from octochat.frontends.tui.transcript.cards.card import Card
from octochat.frontends.tui.transcript.cards.changes import ChangesCard
from octochat.frontends.tui.transcript.cards.report import ReportCard, report_width
from octochat.frontends.tui.transcript.transcript import Transcript
from octochat.session.session import Session


async def changes(session: Session, transcript: Transcript) -> Card:
    """All that the session changed, by file."""
    files = await net_changes(session)
    return ChangesCard(transcript.clock(), files)


async def comparison(session: Session, transcript: Transcript) -> Card:
    """What every other strategy would have cost in this session."""
    table = await asyncio.to_thread(compared, session, report_width(transcript.page))
    return ReportCard(transcript.clock(), table)
