"""A session with everything that works on it: what the commands act on and the front ends hold."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from octochat.config.hook_files import FoundHooks
from octochat.config.load import Config
from octochat.config.profiles import ProfileName
from octochat.config.project_trust import Claim
from octochat.context.notes.guidance import guidance
from octochat.context.plans.keep_warm import Beat
from octochat.context.plans.report import Info, info
from octochat.context.plans.situation import Situation
from octochat.context.plans.strategy import leveled
from octochat.context.session.events import Entry, Event, ModelChanged, Opened, SkillLoaded
from octochat.engine.compress import Compressor
from octochat.engine.keep_warm import WarmKeeper
from octochat.engine.loop import Engine
from octochat.hooks.hook import EndReason
from octochat.mcp.host import McpHost
from octochat.memory.session_memory import SessionMemory
from octochat.models.catalogue import ModelInfo
from octochat.models.port import ModelError
from octochat.models.retry import Nap
from octochat.models.routing import Routed
from octochat.models.tokens.ruler import Ruler
from octochat.project.instructions import InstructionFiles
from octochat.sandbox.sandbox import Sandbox
from octochat.session.dials import Dials
from octochat.session.offers import Offer
from octochat.skills.command_files import CustomCommands
from octochat.skills.skills import Skills
from octochat.storage.log import LogError
from octochat.storage.scratch import let_go
from octochat.tools.base import Tool


def learn_nothing(name: str, window: int | None, max_output: int | None) -> None:
    """Where nothing is to be learned of models."""


@dataclass(slots=True)
class Session:
    """What `cli.py` puts together."""

    engine: Engine
    compressor: Compressor
    dials: Dials
    """The mode and the effort as the person set them."""
    config: Config
    skills: Skills
    tools: Sequence[Tool]
    known: Callable[[str], ModelInfo]
    """What is known of a model by its name."""
    models: Routed
    """Who answers; `prepare` loads what that takes after the first paint."""
    ruler: Ruler
    """Counts tokens; `load` reads the vocabulary after the first paint."""
    memory: SessionMemory
    """Finds what was said, folded or not."""
    notices: tuple[str, ...] = ()
    """What a person should know from the start: warnings, one line each."""
    files: InstructionFiles | None = None
    """Where instructions stand."""
    offer: Offer | None = None
    """What a person who can answer is asked at the start."""
    keeper: WarmKeeper | None = None
    """Keeps the prompt cache warm where the front end has it begin; None: nobody does."""
    origins: tuple[str, ...] = ()
    """Where settings come from that go by the login, a line each."""
    learn: Callable[[str, int | None, int | None], None] = learn_nothing
    """Takes in a model's window and longest answer, in tokens, as the API tells them."""
    scratch: Path | None = None
    """The scratch folder; it goes with the session if it is empty."""
    to_remember: str = ""
    """What `/remember` showed and has not written yet."""
    config_flag: Path | None = None
    """What `--config` said."""
    nap: Nap = field(default_factory=Nap)
    """The wait before a failed call is made again, which a person may end."""
    custom: CustomCommands = CustomCommands()
    """Slash commands of the person's and the project's own."""
    found_hooks: FoundHooks = field(default_factory=FoundHooks)
    """The hooks that were found, trusted or not."""
    claims: Callable[[], Sequence[Claim]] = tuple
    """Files that want more than they may have before somebody trusts them, as they are now."""
    sandbox: Sandbox | None = None
    """Where commands run; None: as octochat itself does."""
    servers: McpHost | None = None
    """Servers of the Model Context Protocol; `prepare` starts them after the first paint."""

    @property
    def situation(self) -> Situation:
        """The session as a strategy sees it now."""
        return self.compressor.situation(self.engine)

    @property
    def info(self) -> Info:
        """The figures of `/info`."""
        rules, ahead = self.compressor.rules, self.compressor.ahead
        figures = info(self.situation, rules.strategies)
        said = guidance(rules.guidance, self.engine.state.instructions)
        return replace(
            figures,
            guidance=said,
            writing_ahead=ahead.under_way,
            next_warmth=self.next_warmth,
            origins=self.origins,
        )

    @property
    def next_warmth(self) -> Beat | None:
        """The next call that keeps the prompt cache warm, if one will be made."""
        return self.keeper.next if self.keeper and self.keeper.begun else None

    def use_profile(self, profile: ProfileName) -> None:
        """Go on with another profile, until the session is left."""
        self.config = self.config.with_profile(profile)
        pipeline, rules = self.config.pipeline, self.compressor.rules
        hints = rules.hints
        if hints and (by_level := leveled(pipeline)):
            hints = replace(hints, strategy=by_level)
        note_max = self.config.compression.note_max_tokens
        self.compressor.rules = replace(rules, strategies=pipeline, note_max=note_max, hints=hints)
        recall = self.config.recall
        self.memory.reckon_with(recall.tokens if recall.automatic else 0, pipeline)

    async def prepare(self) -> None:
        """Load what the first call needs, and ask about a model that nothing is known of.

        Not needed for anything to work: without it the first call does the loading, and an unknown
        model is taken to have a window of 200,000 tokens.
        """
        if self.servers:
            self.servers.start()
        name = self.engine.state.model
        with suppress(ModelError):  # the first call will say it
            await self.models.prepare(name)
            if not self.known(name).known and (limits := await self.models.describe(name)):
                self.learn(name, limits.window, limits.max_output)

    async def close(self, reason: EndReason = "other") -> Entry | None:
        """Let go of tools, connection and log. Where nothing was done, no file is left.

        Args:
            reason: why it ends, for the hooks of its end.

        Returns:
            The bill of a note that was begun in the background and never needed, if there is one.
        """
        if self.keeper:
            await self.keeper.stop()
        with suppress(LogError):
            await self.engine.hooking.end(reason)
        vain: Entry | None = None
        with suppress(LogError):  # a bill that can't be written keeps nothing open
            vain = await self.compressor.discard_ahead(self.engine, "you left before it was needed")
        for tool in self.tools:
            await tool.close()
        if self.servers:
            await asyncio.to_thread(self.servers.close)
        await self.models.close()
        self.memory.close()
        if self.scratch:
            let_go(self.scratch)
        log = self.engine.log
        if all(_as_it_began(entry.event) for entry in log.entries):
            log.discard()
        else:
            with suppress(LogError):  # then the next start begins without it
                for event in self.dials.untold(self.engine.state):
                    self.engine.append(event)
            log.close()
        return vain


def _as_it_began(event: Event) -> bool:
    """Whether nobody has said or chosen anything with it."""
    match event:
        case Opened() | SkillLoaded(permanent=True) | ModelChanged(only_now=True):
            return True
        case _:
            return False
