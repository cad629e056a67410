"""The seat: a `Model` that a person or a program plays, over files in a folder (docs/seat.md).

Its requests are those that Claude would be sent, and are billed as Claude's would be.
"""

import asyncio
import re
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Final, Self, TypeAlias

from octochat.context.codec.bounds import seconds
from octochat.context.session.content import ToolCall
from octochat.context.session.events import Usage
from octochat.models.catalogue import ModelInfo, info
from octochat.models.claude.request import DEFAULTS, ClaudeOptions, betas, body
from octochat.models.names import played
from octochat.models.port import (
    CallDelta,
    Delta,
    ModelError,
    Notice,
    Reply,
    Request,
    Started,
    TextDelta,
)
from octochat.models.provider import Known, Lack, ModelLimits, ProviderSettings
from octochat.models.seat.answer import Answer, AnswerError, from_json, from_markdown
from octochat.models.seat.bill import Bill
from octochat.models.seat.folder import Posted, SeatFolder

VARIABLE: Final = "OCTOCHAT_SEAT"
"""The environment variable that names the folder."""
NO_FOLDER: Final = Lack(
    f"{VARIABLE} names no folder",
    "Set it to the folder where the requests are to be written and the answers read.",
)
LOOK = 0.1
"""Seconds between two looks for an answer."""

Json: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request that waits for its answer."""

    posted: Posted
    body: Json
    model: ModelInfo
    prompt: Usage


class Seat:
    """A `Model` whose requests and answers are files."""

    def __init__(
        self,
        folder: Path | None,
        options: ClaudeOptions = DEFAULTS,
        known: Known = info,
        clock: Callable[[], float] = time.time,
        look: float | None = None,
    ) -> None:
        """`look` is the time between two looks for an answer, in seconds; None: `LOOK`."""
        self._folder: SeatFolder | None = None if folder is None else SeatFolder(folder)
        self._options: ClaudeOptions = options
        self._known: Known = known
        self._bill: Bill = Bill(int(seconds(options.ttl)), clock)
        self._look: float = LOOK if look is None else look
        self._told: bool = False
        """The person was told where the requests are."""

    @classmethod
    def connect(
        cls, settings: ProviderSettings, known: Known, environment: Mapping[str, str]
    ) -> Self:
        """The seat in the folder that the environment names; requests as the settings say."""
        given = environment.get(VARIABLE, "")
        folder = Path(given).expanduser().absolute() if given else None
        options = ClaudeOptions(settings.cache_ttl, settings.thinking, settings.thinking_budget)
        return cls(folder, options, known)

    def serves(self, name: str) -> bool:
        """`seat` and a colon, before the name of the model that is played."""
        return bool(played(name))

    @property
    def lack(self) -> Lack | None:
        """A folder."""
        return NO_FOLDER if self._folder is None else None

    async def prepare(self) -> None:
        """Load the tokenizer."""
        await asyncio.to_thread(self._bill.ruler.load)

    async def describe(self, name: str) -> ModelLimits | None:
        """Nothing that is not known of the model that is played."""

    async def close(self) -> None:
        """Nothing is held."""

    async def reply(self, request: Request) -> AsyncGenerator[Delta | Reply, None]:
        """Write the request, wait for the answer, however long it takes, and stream it.

        Raises:
            ModelError: of kind `invalid`, if the folder can't be used or the API would refuse the
                conversation.
        """
        if self._folder is None:
            raise ModelError("invalid", f"{NO_FOLDER.what}. {NO_FOLDER.remedy}")
        try:
            asked = self._ask(self._folder, request)
            if not self._told:
                self._told = True
                yield Notice(
                    f"You play {asked.model.name}: {self._folder.path} has the requests, and its "
                    "README.md says how to answer."
                )
            yield Started(asked.prompt)
            answer = await self._answer(self._folder, asked)
            usage = self._bill.whole(asked.prompt, answer.blocks, request.model)
            self._folder.write_json(asked.posted, "usage", _usage(usage, asked.model))
        except OSError as error:
            raise ModelError("invalid", f"The seat's folder can't be used: {error}") from error
        for block in answer.blocks:
            if isinstance(block, ToolCall):
                yield CallDelta(block.id, block.name, "")
            else:
                for word in re.findall(r"\S+\s*|\s+", block.text):
                    yield TextDelta(word)
        yield Reply(answer.blocks, usage, answer.stop, f"seat_{asked.posted.stem}")

    def _ask(self, folder: SeatFolder, request: Request) -> _Asked:
        known = self._known(request.model)
        model = replace(known, name=played(request.model))
        sent = body(request, model, self._options)
        prompt = self._bill.prompt(request, sent, known)
        told = f"Prompt: {prompt.prompt:,} tokens, {prompt.cache_read:,} of them from the cache."
        return _Asked(folder.post(sent, betas(request, sent), told), sent, model, prompt)

    async def _answer(self, folder: SeatFolder, asked: _Asked) -> Answer:
        """The first answer that can be read; nobody who stops waiting leaves the seat waiting."""
        try:
            while True:
                found = folder.answer(asked.posted)
                if found and (answer := _read(folder, asked, *found)):
                    return answer
                await asyncio.sleep(self._look)
        except (asyncio.CancelledError, GeneratorExit):
            folder.write(f"{asked.posted.stem}.withdrawn.md", "Nobody waits for this answer.\n")
            raise


def _read(folder: SeatFolder, asked: _Asked, name: str, text: str) -> Answer | None:
    """The answer; None, and the reason in the folder, if it can't be read."""
    ids = (f"seat_{asked.posted.stem}_{n}" for n in count(1))
    structured = "output_config" in asked.body  # what is wanted is itself JSON
    try:
        read = from_json if name.endswith(".json") and not structured else from_markdown
        answer = read(text, ids)
    except AnswerError as error:
        folder.refuse(asked.posted, name, text, str(error))
        return None
    folder.remove(asked.posted, "error.md")
    return answer


def _usage(usage: Usage, model: ModelInfo) -> Json:
    """As the API reports it, with what it costs in dollars."""
    return {
        "input_tokens": usage.fresh,
        "cache_creation_input_tokens": usage.cache_write + usage.cache_write_1h,
        "cache_read_input_tokens": usage.cache_read,
        "output_tokens": usage.output,
        "dollars": model.prices.cost(usage),
    }
