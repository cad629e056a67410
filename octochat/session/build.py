"""Puts a session together from the command line, the configuration and the log.

The one place where everything meets everything; readable from top to bottom.
"""

import os
import time
from collections import deque
from pathlib import Path

from platformdirs import user_config_path

from octochat.config.by_login import for_login, origins
from octochat.config.command_trust import commands_here
from octochat.config.hook_files import find_hooks
from octochat.config.load import Config, load
from octochat.config.mcp_file import find_servers
from octochat.context.codec.bounds import seconds
from octochat.context.economics.worth import Writer
from octochat.context.plans.hints import HintRule
from octochat.context.plans.levels import too_low
from octochat.context.plans.strategy import leveled
from octochat.engine.compress import Compressor
from octochat.engine.keep_warm import WarmKeeper
from octochat.engine.loop import Engine
from octochat.engine.policy import ContextPolicy
from octochat.engine.ports import Ports
from octochat.mcp.host import McpHost
from octochat.mcp.offering import Offering
from octochat.mcp.tools import LiveTools
from octochat.memory.all_sessions import Where
from octochat.memory.session_memory import SessionMemory
from octochat.models.catalogue import catalogue, uncapped
from octochat.models.login import login
from octochat.models.providers import connected
from octochat.models.retry import Nap, Persistent
from octochat.models.tokens.calibration import Calibration
from octochat.models.tokens.ruler import Ruler
from octochat.permissions.ask import Approver, Headless
from octochat.permissions.remembered import RememberedRules
from octochat.project.instructions import InstructionFiles
from octochat.project.root import root_of
from octochat.session.dials import Dials, resumed
from octochat.session.hooked import Notifying, hooks_at_work
from octochat.session.news import News
from octochat.session.offers import compression_first
from octochat.session.opening import begin
from octochat.session.options import Options
from octochat.session.permitting import permitted
from octochat.session.ruling import learner, weigher
from octochat.session.sandboxing import no_sandbox, sandbox_of
from octochat.session.session import Session
from octochat.session.start_notices import odd
from octochat.session.undumpable import hide_from_children
from octochat.session.whereabouts import Place, Whereabouts
from octochat.skills.skills import discover, places
from octochat.storage import sessions
from octochat.storage.log import Log
from octochat.storage.scratch import make, scratch_folder
from octochat.summaries.summariser import Summariser
from octochat.summaries.writers import unpriced, who_may_write
from octochat.tools.paths import Roots
from octochat.tools.registry import tools_at
from octochat.tools.shell import environment
from octochat.tools.tool_context import ToolContext


def open_session(options: Options, approver: Approver) -> Session:
    """A session, new or resumed, ready to be talked to. Takes a while: not on the start path.

    Raises:
        ConfigError: the configuration is wrong.
        NoSessionError: there is no such session.
        LogError: its file can't be used.
    """
    hide_from_children()
    folder = Path(os.path.realpath(options.folder))
    loaded = load(folder, flag=options.config)
    signed_in = login(os.environ)
    config = for_login(loaded.config, signed_in)
    known = catalogue(config.models)
    ruler = Ruler(calibration=Calibration(sessions.data_folder() / "tokens.json", known))
    root = root_of(folder)
    skills = discover(places(folder, user_config_path("octochat"), root), root)
    warnings: deque[str] = deque()
    remembered = RememberedRules(user_config_path("octochat") / "permissions.toml", folder)
    path = _path(options, folder)
    scratch = scratch_folder(path.stem)
    asked = approver if isinstance(approver, Headless) else Notifying(approver, lambda: hooks)
    permissions = permitted(options, config, remembered, skills, scratch, asked, warnings.append)
    log = Log(
        path,
        weigh=weigher(ruler, lambda: log.entries),
        clock=time.time,
        warn=warnings.append,
    )
    make(scratch)
    found_hooks = find_hooks(loaded, folder, root)
    custom = commands_here(loaded, folder, root)
    hooks = hooks_at_work(found_hooks, folder, config, log, lambda: permissions.mode, ruler.text)
    sandbox = sandbox_of(options.sandbox, config.sandbox, permissions.rules)
    place = Place(
        folder,
        root,
        scratch,
        environment(os.environ, config.tools.pass_environment),
        answered=not isinstance(approver, Headless),
        sandbox=sandbox,
    )
    where = Whereabouts(place, permissions, time.time)
    if not log.entries:
        where.look_ahead()
    models = connected(config, known, os.environ)
    nap = Nap()
    model = Persistent(models, config.retry, nap)

    def writers(name: str) -> tuple[Writer, ...]:
        return who_may_write(config.compression.decision.model, name, known)

    compressor = Compressor(
        ContextPolicy(
            strategies=config.pipeline,
            margin=config.context.safety_margin_tokens,
            max_session=config.context.max_session_tokens,
            reserve=config.context.output_reserve,
            note_max=config.compression.note_max_tokens,
            writers=writers,
            ignore_cost=config.compression.decision.ignore_cost,
            hints=_hints(config),
            ahead=config.compression.write_ahead,
            guidance=config.compression.guidance,
        ),
        Summariser(
            model,
            known,
            config.compression.decision,
            ruler.text,
            retention=config.compression.knowledge_retention,
            guidance=config.compression.guidance,
        ),
        ruler.event,
        ruler.text,
    )
    compressor.hooks = hooks
    memory = SessionMemory(
        sessions.index_path(log.id) if log.path else None,
        tokens=config.recall.tokens if config.recall.automatic else 0,
        strategies=config.pipeline,
        earlier=Where(str(folder), log.id),
        warn=warnings.append,
    )
    spill = Path(os.path.realpath(sessions.spill_folder(log.id)))
    at = ToolContext(
        Roots(folder, spill),
        config.tools,
        os.environ,
        permissions.rules.searchable,
        skills,
        lambda: log.entries,
        lambda wanted: memory.found(wanted, tuple(log.surviving)),
        config.recall.sessions,
        lambda: engine.state,
        config.files,
        lambda: known(engine.state.model).pictures,
        sandbox,
        mask_secrets=config.privacy.mask_secrets,
    )
    tools = tools_at(at)
    found_servers = find_servers(loaded, root)
    servers = McpHost(
        found_servers.servers,
        folder=folder,
        logs=spill,
        logins=sessions.data_folder() / "logins",
        person=place.answered,
        environment=os.environ,
        seen=environment(os.environ, config.tools.pass_environment),
        tell=warnings.append,
    )
    files = InstructionFiles(
        folder,
        root,
        user_config_path("octochat"),
        config.instructions.max_chars,
        lambda path: permissions.rules.searchable("read", path),
    )
    instructions = files.at_start()
    notices = begin(
        log,
        options,
        loaded,
        skills=skills,
        instructions=instructions,
        tools=tools,
        folder=folder,
        where=where,
        ruler=ruler,
        known=known,
        models=models,
    )
    dials = Dials(
        permissions, known, options.allow_all, None if config.effort == "auto" else config.effort
    )
    dials.go_on(*resumed(log.entries), chosen=options.mode is not None)
    engine = Engine(
        log,
        Ports(
            model,
            LiveTools({tool.spec.name: tool for tool in tools}, servers, at),
            permissions,
            compressor,
            time.time,
            known,
            learner(ruler),
            warnings,
            dials.untold,
            memory.remember,
            News(files, instructions, where, warnings.append, Offering(servers, known)),
            hooks=hooks,
            mask_secrets=config.privacy.mask_secrets,
        ),
        max_tokens=config.max_tokens,
        ttl=int(seconds(config.cache_ttl)),
        max_cost=config.max_cost if options.max_cost is None else options.max_cost,
        max_turns=config.max_turns if options.max_turns is None else options.max_turns,
    )
    ruler.model = engine.state.model
    told = (
        no_sandbox(sandbox),
        uncapped(known(engine.state.model), engine.max_cost),
        unpriced(config.compression.decision.model, known),
        too_low(compressor.situation(engine), config.pipeline),
    )
    notices = (
        *notices,
        *found_hooks.notices,
        *found_servers.notices,
        *custom.notices,
        *odd(custom.found),
        *filter(None, told),
    )
    return Session(
        engine,
        compressor,
        dials,
        config,
        skills,
        tools,
        known,
        models,
        ruler,
        memory,
        notices,
        files,
        compression_first(compressor.situation(engine), compressor.rules),
        WarmKeeper(engine, 0 if isinstance(kept := config.cache.keep_warm, str) else kept),
        origins(loaded.config, signed_in),
        known.learn,
        scratch,
        config_flag=options.config,
        nap=nap,
        sandbox=sandbox,
        found_hooks=found_hooks,
        claims=lambda: (
            *find_hooks(loaded, folder, root).claims,
            *find_servers(loaded, root).claims,
            *commands_here(loaded, folder, root).claims,
        ),
        custom=custom.found,
        servers=servers,
    )


def _path(options: Options, folder: Path) -> Path:
    if options.resume:
        return sessions.find(options.resume)
    return sessions.newest(folder) if options.go_on else sessions.new_path(time.time())


def _hints(config: Config) -> HintRule | None:
    """Hints are given where a strategy with levels is at work."""
    said, strategy = config.compression, leveled(config.pipeline)
    if not said.hints_enabled or strategy is None:
        return None
    return HintRule(strategy, said.hints_pressure_threshold, said.hints_min_interval)
