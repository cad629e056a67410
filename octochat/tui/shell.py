"""A command line that the person runs, beside the conversation: the model does not see it."""

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path
from time import time

from octochat.tui.cards.event import EventCard
from octochat.tui.figures import seconds, size

MOST = 200_000
"""Bytes of output that are kept, of its end."""
LIMIT = 120.0
"""Seconds after which it is ended."""


async def shell(command: str, folder: Path) -> EventCard:
    """Run it in the person's shell, and tell what came of it."""
    begun = time()
    process = await asyncio.create_subprocess_exec(
        os.environ.get("SHELL", "/bin/sh"),
        "-c",
        command,
        cwd=folder,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
    )
    late = ""
    try:
        output, _ = await asyncio.wait_for(process.communicate(), LIMIT)
    except (TimeoutError, asyncio.CancelledError):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        output, _ = await process.communicate()
        late = f"ended after {LIMIT:.0f} s · "
    text = output[-MOST:].decode(errors="replace")
    failed = process.returncode != 0
    status = f"exit {process.returncode} · " if failed else ""
    card = EventCard(
        time(),
        f"! {command}",
        icon="✗" if failed else "✓",
        style="$text-error" if failed else "$text-success",
        detail=text or "(no output)",
        right=f"{late}{status}{size(text)} · {seconds(time() - begun)} · not sent",
    )
    card.opened = True
    return card
