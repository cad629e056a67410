"""`octochat show`: a past session as a transcript, or the requests that were sent in it."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from octochat.config.load import ConfigError, load
from octochat.context.session.events import Entry
from octochat.models.catalogue import catalogue
from octochat.models.claude.readable import messages_page, system_page, tools_page
from octochat.models.port import ModelError
from octochat.models.tokens.calibration import Calibration
from octochat.models.tokens.request_sizes import RequestPart, request_parts
from octochat.models.tokens.ruler import Ruler
from octochat.session.past_requests import (
    Asked,
    RebuiltRequest,
    asked,
    notes_asked_for,
    rebuilt,
)
from octochat.storage import sessions
from octochat.storage.data_folder import data_folder
from octochat.storage.export import fenced, markdown
from octochat.storage.lines import LogError, read, split
from octochat.text.exit_codes import MISUSED, OK
from octochat.text.figures import count, dollars
from octochat.text.harmless import harmless

LIST = 0
"""What `--requests` without a number means: all of them, a line each."""


def main(words: Sequence[str]) -> int:
    """Print the session or its requests; returns the exit code."""
    arguments = parser()
    said = arguments.parse_args(words)
    if said.json and not said.requests:
        arguments.error("--json needs --requests and a number")
    try:
        text = _shown(said)
    except (LogError, ConfigError, ModelError, sessions.NoSessionError, OSError) as error:
        print(f"octochat show: {error}", file=sys.stderr)
        return MISUSED
    print(harmless(text) if sys.stdout.isatty() else text)
    return OK


def parser() -> argparse.ArgumentParser:
    """The arguments of `octochat show`."""
    made = argparse.ArgumentParser(
        "octochat show",
        description="Print a session as a transcript, or the requests that were sent in it.",
        epilog="`octochat -r` lists the sessions. Requests are built again from the log, by the "
        "code that built them; what the log does not hold is said.",
    )
    what = "its id or the beginning of it (default: the newest of this folder)"
    made.add_argument("session", nargs="?", metavar="SESSION", help=what)
    made.add_argument(
        "--requests",
        nargs="?",
        type=int,
        const=LIST,
        metavar="N",
        help="request N in full, with the sizes of its parts; without N, a line for each",
    )
    made.add_argument(
        "--json", action="store_true", help="with --requests N: the body that the API was sent"
    )
    made.add_argument("--config", metavar="FILE", type=Path, help="as for the chat")
    return made


def _shown(said: argparse.Namespace) -> str:
    here = Path.cwd().resolve()
    path = sessions.find(said.session) if said.session else sessions.newest(here)
    entries, state = read(split(path.read_bytes())[0], path)
    if said.requests is None:
        return markdown(entries, path.stem, state.title).rstrip("\n")
    calls = list(asked(entries))
    if said.requests == LIST:
        return "\n".join(_listing(path.stem, calls, entries))
    if not 1 <= said.requests <= len(calls):
        raise LogError(f"There is no request {said.requests}: {path.stem} has {len(calls)}.")
    call = calls[int(said.requests) - 1]
    folder = Path(call.state.folder)
    config = load(folder if folder.is_dir() else here, flag=said.config).config
    known = catalogue(config.models)
    made = rebuilt(call, config, known)
    if said.json:
        return json.dumps(made.body, ensure_ascii=False)
    ruler = Ruler(call.state.model, calibration=Calibration(data_folder() / "tokens.json", known))
    return _page(said.requests, call, made, request_parts(made.request, ruler))


def _listing(session: str, calls: Sequence[Asked], entries: Sequence[Entry]) -> Iterator[str]:
    yield f"{session}: {count(len(calls), 'request')}"
    yield ""
    yield f"{'N':>5} {'entry':>7} {'tokens in':>11} {'cached':>11} {'out':>8} {'cost':>8}  answer"
    for n, call in enumerate(calls, 1):
        used = call.reply.usage
        cost = "?" if call.reply.cost is None else dollars(call.reply.cost)
        yield (
            f"{n:>5} {f'#{call.entry.id}':>7} {used.prompt:>11,} {used.cache_read:>11,} "
            f"{used.output:>8,} {cost:>8}  {call.reply.stop.replace('_', ' ')}"
        )
    if notes := [f"#{entry.id}" for entry in notes_asked_for(entries)]:
        yield ""
        yield f"Requests for notes are not kept; those of {', '.join(notes)} were made as well."
    yield ""
    yield "octochat show SESSION --requests N shows one."


def _page(number: int, call: Asked, made: RebuiltRequest, parts: Sequence[RequestPart]) -> str:
    settings = {k: v for k, v in made.body.items() if k not in ("system", "tools", "messages")}
    return "\n\n".join(
        (
            f"# Request {number}, answered by #{call.entry.id}",
            *made.doubts,
            "\n".join(_sizes(parts, call)),
            fenced(json.dumps(settings, ensure_ascii=False, indent=1), "json"),
            f"# System prompt\n\n{system_page(made.body)}",
            f"# Tools\n\n{tools_page(made.body)}",
            f"# Messages\n\n{messages_page(made.body)}",
        )
    )


def _sizes(parts: Sequence[RequestPart], call: Asked) -> Iterator[str]:
    total = sum(part.tokens for part in parts if not part.within)
    rows = [("  " * bool(part.within) + part.name, part.tokens) for part in parts]
    width = max(len(name) for name, _ in rows)
    billed = call.reply.usage.prompt
    bill = f"; billed: {billed:,}" if billed else ""
    yield f"{'all':<{width}}  {total:>9,} tokens, counted here{bill}"
    yield from (f"{name:<{width}}  {size:>9,}" for name, size in rows)
