"""The configuration's tree: the fields are the keys, their values the defaults.

Strategies bring their own tables; see `config/strategies.py`. It knows nothing of files.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from octochat.config.compression import CompressionSettings
from octochat.config.profiles import ProfileName
from octochat.config.tui_settings import TuiSettings
from octochat.context.codec.bounds import Amount, Count, Duration, Positive
from octochat.context.codec.trees import Constraint
from octochat.hooks.settings import HookSettings
from octochat.mcp.settings import McpServer
from octochat.models.catalogue import LEAST_BUDGET, ModelSettings
from octochat.models.retry_policy import RetryPolicy
from octochat.sandbox.settings import SandboxSettings
from octochat.tools.limits import FileSettings, Limits
from octochat.tools.recall_query import Sessions

Pattern: TypeAlias = Annotated[
    str,
    Constraint(
        'a pattern such as "bash(git status *)" or "write(src/**)"', lambda text: bool(text.strip())
    ),
]
ModelName: TypeAlias = Annotated[
    str, Constraint("the name of a model", lambda name: bool(name.strip()))
]


@dataclass(frozen=True, slots=True)
class ContextSettings:
    """`[context]`: how big the context may get, and who keeps it in shape."""

    strategies: tuple[str, ...] = ("ttl_prune", "pressure")
    """The strategies to use. Each has one look before every request, in this order.
    "my_module:DropFailures" is one of your own: `my_module.py` beside this file, or installed."""
    safety_margin_tokens: Count = 1_000
    """Added to the measured context size, in tokens."""
    output_reserve: Positive = 20_000
    """Tokens of the window kept free for the answer, at most what the model can write."""
    max_session_tokens: Count = 0
    """The largest request, in tokens. 0: the window less the reserve."""


@dataclass(frozen=True, slots=True)
class PermissionSettings:
    """`[permissions]`: the mode, and patterns of tool calls. `deny` wins, then `ask`, `allow`."""

    allow: tuple[Pattern, ...] = ()
    """Allowed without asking, such as "bash(git status *)" or "write(src/**)"."""
    ask: tuple[Pattern, ...] = ()
    """Always asked about, even if `allow` covers it."""
    deny: tuple[Pattern, ...] = ()
    """Never allowed."""
    mode: Literal["plan", "ask", "accept-edits"] = "ask"
    """How much is asked: "plan" changes nothing and ends with a plan, "ask" asks where no rule
    allows it, "accept-edits" asks about commands and about files outside the folder."""
    trusted_folders: tuple[str, ...] = ()
    """Projects whose own .octochat/config.toml counts in full, code included. Works only in your
    own file; /trust takes one as it stands."""


@dataclass(frozen=True, slots=True)
class InstructionSettings:
    """`[instructions]`: AGENTS.md and the like."""

    max_chars: Positive = 40_000
    """The most that is taken of one file, what it imports included, in characters."""


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """`[recall]`: what was folded comes back where it is asked about."""

    automatic: bool = True
    """Put the folded passages that have most to do with a prompt behind it."""
    tokens: Positive = 1_500
    """The most that they may take."""
    sessions: Sessions = "ask"
    """Whether the model may search earlier sessions of this folder."""


@dataclass(frozen=True, slots=True)
class PrivacySettings:
    """`[privacy]`: what the log and the model get to see."""

    mask_secrets: bool = True
    """Mask keys of known shapes in what tools give: neither the log nor the model has them."""


@dataclass(frozen=True, slots=True)
class CacheSettings:
    """`[cache]`: what is done for the prompt cache."""

    keep_warm: Annotated[
        str | int,
        Constraint(
            '"off", "auto", or a whole number of minutes from 1 on',
            lambda said: said in ("off", "auto") or (isinstance(said, int) and said >= 1),
        ),
    ] = "off"
    """For how many minutes after a turn you are expected back: so long, a call of one token reads
    the context again before the cache dies, if that costs less than writing it anew. "auto": 30
    with an API key, 60 with a token."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The whole tree, without the tables of the strategies."""

    model: ModelName = "claude-sonnet-5-5"
    """The model that answers; "offline" needs no key."""
    max_tokens: Positive = 20_000
    """The longest answer, thinking included, in tokens."""
    cache_ttl: Literal["5m", "1h"] = "5m"
    """How long the prompt cache lives. Writing costs 1.25 times the input, with "1h" twice."""
    thinking: Literal["on", "off"] = "on"
    """Whether the model thinks first. "off" means as little as it allows."""
    thinking_budget: Annotated[
        int, Constraint(f"{LEAST_BUDGET} or more", lambda n: n >= LEAST_BUDGET)
    ] = 8_000
    """Tokens for thinking, on models that want a budget."""
    effort: Literal["auto", "low", "medium", "high", "max"] = "auto"
    """How hard the model works, where it can be told. "auto": as it does by itself."""
    timeout: Duration = "5m"
    """A call fails when not a single byte arrives for this long."""
    max_cost: Amount = 0.0
    """The session stops when it has cost this many dollars. 0: no limit."""
    max_turns: Count = 0
    """How often the model may be asked for one message. 0: no limit."""
    profile: ProfileName = "balanced"
    """How much to keep and how much to pay: values of `pressure_levels`, `note_max_tokens` and
    `[recall] tokens` where you write none yourself. "careful" keeps most, "thrifty" pays least."""
    cache: CacheSettings = CacheSettings()
    context: ContextSettings = ContextSettings()
    compression: CompressionSettings = CompressionSettings()
    recall: RecallSettings = RecallSettings()
    instructions: InstructionSettings = InstructionSettings()
    permissions: PermissionSettings = PermissionSettings()
    sandbox: SandboxSettings = SandboxSettings()
    privacy: PrivacySettings = PrivacySettings()
    retry: RetryPolicy = RetryPolicy()
    tools: Limits = Limits()
    files: FileSettings = FileSettings()
    tui: TuiSettings = TuiSettings()
    hooks: Mapping[str, tuple[HookSettings, ...]] = field(
        default_factory=dict[str, tuple[HookSettings, ...]]
    )
    """Commands that run at points of the session, as docs/hooks.md says."""
    mcp_servers: Mapping[str, McpServer] = field(default_factory=dict[str, McpServer])
    """Servers that speak the Model Context Protocol: docs/mcp.md. They need octochat[mcp]."""
    models: Mapping[str, ModelSettings] = field(default_factory=dict[str, ModelSettings])
    """Adds to or corrects what octochat knows about models; dollars per million tokens."""
