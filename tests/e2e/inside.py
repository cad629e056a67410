"""`octochat -p` within this process: the same session and the same output, in milliseconds."""

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from octochat.context.session.events import Entry
from octochat.frontends import headless
from octochat.frontends.headless import Format
from octochat.permissions.ask import Headless
from octochat.session.build import open_session
from octochat.session.options import Options
from tests.e2e.home import Home


@dataclass(frozen=True, slots=True)
class Ran:
    """How one run ended."""

    code: int
    out: str
    err: str
    entries: Sequence[Entry]
    """The session's, all of them."""

    @property
    def outcome(self) -> dict[str, Any]:
        """The object that `json` and `stream-json` end with."""
        return json.loads(self.out.splitlines()[-1])


async def ran(at: Home, prompt: str, form: Format = "text", **said: Any) -> Ran:
    """Say something in a session of its own, or, with `go_on=True`, in the last one."""
    out, err = _stream(), _stream()
    session = open_session(Options(at.project, **said), Headless())
    try:
        code = await headless.run(session, prompt, form, out, err)
    finally:
        await session.close()
    return Ran(code, _written(out), _written(err), tuple(session.engine.log.entries))


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)


def _written(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()
