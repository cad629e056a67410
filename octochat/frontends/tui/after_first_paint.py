"""The one boundary behind which stands all that the first paint does not need.

It is crossed in a thread, while one can write already; the modules behind it have ordinary imports.
First comes what an earlier session is shown on, then what opens sessions and works on them.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from octochat.session.options import Options

if TYPE_CHECKING:
    from octochat.context.session.events import Entry
    from octochat.frontends.tui.chat import Chat
    from octochat.frontends.tui.chat_view import ViewOn
    from octochat.frontends.tui.main_pane import MainPane
    from octochat.frontends.tui.status.status_line import StatusLine

Showing: TypeAlias = "tuple[type[MainPane], type[StatusLine], Callable[[Options], Sequence[Entry]]]"
Working: TypeAlias = "tuple[type[Chat], ViewOn]"


async def what_shows() -> Showing:
    """The pane, the status line, and the function that reads an earlier session for them."""
    return await asyncio.to_thread(_what_shows)


async def what_works() -> Working:
    """The chat, and what puts together what it is shown on."""
    return await asyncio.to_thread(_what_works)


def _what_shows() -> Showing:
    from octochat.frontends.tui.main_pane import MainPane
    from octochat.frontends.tui.session_preview import session_preview
    from octochat.frontends.tui.status.status_line import StatusLine

    return MainPane, StatusLine, session_preview


def _what_works() -> Working:
    from octochat.frontends.tui.chat import Chat
    from octochat.frontends.tui.chat_view import view_on

    return Chat, view_on
