"""All texts for the model, each under the name that its number is kept under.

Whole files and the tools as they are sent, and the sentences in the code of every module that
writes for the model. A new module of these packages is in it without being named here; what only
people read is named, and left out, but for what is on its way to the model even there.
"""

import asyncio
import json
import re
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast

from platformdirs import user_cache_path

from octochat.context.session.events import Opened, ToolDefinition
from octochat.models.tokens.vocabulary import load_encoding
from tests.offline_session import at_home, opened
from tests.prompts import literals as code
from tests.root import ROOT

KEPT = ROOT / "tests" / "prompts" / "tokens.toml"
"""The numbers that are kept by hand: no program writes this file."""
PACKAGE = ROOT / "octochat"

DEFINITIONS = "Definitions of the tools"
WRITING = {
    "The system prompt": ("session", "skills"),
    "Instructions": ("project",),
    "Permissions and tools: results and errors": ("tools", "permissions", "engine", "mcp"),
    "Notes, and what stands for what was cleared": ("context",),
    "Recalled passages": ("memory",),
    "Requests for notes": ("summaries",),
}
"""Title -> the packages that write for the model under it."""
_WRITERS = frozenset(package for packages in WRITING.values() for package in packages)
SHIPPED = "Skills that come with octochat"
ALSO = ("frontends/tui/approval/hunks.py",)
"""Modules of other packages that do, besides what stands in calls of the carriers."""
FOR_PEOPLE = (
    "context/codec/*",
    "context/notes/cues.py*",
    "context/notes/identifiers.py*",
    "context/notes/touched.py*",
    "context/plans/commit.py*",
    "context/plans/context_parts.py*",
    "context/plans/folding.py::drop",
    "context/plans/folding.py::summarised",
    "context/plans/hints.py*",
    "context/plans/ladder.py::biggest",
    "context/plans/ladder.py::compression",
    "context/plans/ladder.py::drops",
    "context/plans/ladder.py::trims",
    "context/plans/levels.py*",
    "context/plans/standing.py*",
    "context/plans/strategy.py*",
    "context/session/validity.py*",
    "context/session/view.py*",
    "context/strategies/*.py::*._early",
    "context/strategies/*.py::*._weigh",
    "context/strategies/*.py::*.decide",
    "context/strategies/groups.py*",
    "engine/ask.py*",
    "engine/compact_hooks.py::_vetoed",
    "engine/compact_hooks.py::with_hooks",
    "engine/compress.py*",
    "engine/hooking.py*",
    "engine/keep_warm.py*",
    "engine/loop.py*",
    "engine/note_ahead.py*",
    "engine/rounds.py::Rounds.check",
    "engine/tasks.py*",
    "mcp/connection.py*",
    "mcp/expand.py*",
    "mcp/host.py::McpHost._*",
    "mcp/host.py::McpHost.login",
    "mcp/life.py*",
    "mcp/lines.py*",
    "mcp/login.py*",
    "mcp/oauth.py*",
    "mcp/prices.py*",
    "mcp/questions.py*",
    "mcp/settings.py*",
    "mcp/transport.py*",
    "memory/index.py*",
    "memory/query.py*",
    "memory/ranking.py*",
    "memory/session_memory.py::SessionMemory._searched",
    "memory/session_memory.py::WITHOUT",
    "permissions/ask.py::Permissions._kept",
    "permissions/ask.py::Permissions.check",
    "permissions/danger.py*",
    "permissions/programs.py*",
    "permissions/readers.py*",
    "permissions/refusals.py::told_to_person",
    "permissions/remembered.py*",
    "permissions/risks.py*",
    "permissions/rule.py*",
    "permissions/scripts.py*",
    "permissions/takers.py*",
    "project/branch.py*",
    "project/imports.py::Importer._meant",
    "project/instructions.py::InstructionFiles.*",
    "project/text_file.py*",
    "session/hooked.py*",
    "session/offers.py*",
    "session/opening.py::offline_notice",
    "session/past_requests.py*",
    "session/permitting.py*",
    "session/plans.py*",
    "session/sandboxing.py*",
    "session/session.py*",
    "session/start_notices.py*",
    "skills/command_file.py*",
    "skills/command_files.py*",
    "skills/front_matter.py*",
    "skills/skill_file.py*",
    "skills/skills.py::Skills.summary",
    "skills/skills.py::discover",
    "skills/skills.py::from_environment",
    "summaries/answers.py::read_answer",
    "summaries/refusals.py*",
    "summaries/summariser.py*",
    "summaries/writers.py*",
    "tools/facts.py::UNCHANGED",
    "tools/lifeline.py*",
)
"""`module::owner` of what only people read, and lists of words and of SQL."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A text for the model, or all the sentences of a module."""

    title: str
    """What it belongs to."""
    name: str
    parts: tuple[str, ...]
    kind: Literal["file", "tool", "sentences", "skill"]
    """A file, a tool's description and schema, the sentences of a module, or a file that is a page
    of its own."""

    @property
    def tokens(self) -> int:
        """Tokens of all parts, by the plain tokenizer."""
        return sum(map(count, self.parts))


@cache
def count(text: str) -> int:
    """Tokens, as Claude 4's tokenizer or any other would not quite count them, but near it."""
    encoding = load_encoding(user_cache_path("octochat") / "tiktoken")
    return len(encoding.encode_ordinary(text))


def kept() -> Mapping[str, int]:
    """The number that is kept for each text."""
    return tomllib.loads(KEPT.read_text("utf-8"))["tokens"]


@cache
def collected() -> tuple[Prompt, ...]:
    """Everything, in the order of the page."""
    return tuple(_collected())


def _collected() -> Iterator[Prompt]:
    tools = _tools()
    told = [part for tool in tools for part in _descriptions(tool.description, tool.schema)]
    for title, packages in WRITING.items():
        yield from (_file(title, path) for p in packages for path in _written(PACKAGE / p))
        for package in packages:
            yield from _modules(title, sorted((PACKAGE / package).rglob("*.py")), told)
        if "tools" in packages:
            yield from map(_tool, tools)
    others = (path for path in sorted(PACKAGE.rglob("*.py")) if _package(path) not in _WRITERS)
    yield from _modules("From elsewhere", others, told)
    for path in sorted((ROOT / "skills").glob("*/SKILL.md")):
        yield Prompt(SHIPPED, _name(path), (path.read_text("utf-8"),), "skill")


def _package(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0]


def _written(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.md"))


def _file(title: str, path: Path) -> Prompt:
    return Prompt(title, _name(path), (path.read_text("utf-8").strip(),), "file")


def _modules(title: str, paths: Iterable[Path], told: Sequence[str]) -> Iterator[Prompt]:
    """The modules' sentences, but for those that stand in a tool's definition already."""
    for path in paths:
        texts = tuple(
            text
            for text in dict.fromkeys(_sentences(path))
            if not any(_template(text).fullmatch(each) for each in told)
        )
        if texts:
            yield Prompt(title, _name(path), texts, "sentences")


def _sentences(path: Path) -> Iterator[str]:
    """Of a module that writes for the model all, but for people's; of any what is carried there."""
    module = path.relative_to(PACKAGE).as_posix()
    if _package(path) in _WRITERS or module in ALSO:
        for literal in code.literals(path):
            if not any(fnmatchcase(f"{module}::{literal.owner}", each) for each in FOR_PEOPLE):
                yield literal.text
    yield from (literal.text for literal in code.carried(path))


def unused() -> list[str]:
    """The entries of `FOR_PEOPLE` that no sentence stands under any more."""
    owned = [
        f"{path.relative_to(PACKAGE).as_posix()}::{literal.owner}"
        for path in PACKAGE.rglob("*.py")
        for literal in code.literals(path)
    ]
    return [each for each in FOR_PEOPLE if not any(fnmatchcase(name, each) for name in owned)]


def _template(text: str) -> re.Pattern[str]:
    pieces = re.split(r"\{[^{}]*\}", text)
    return re.compile(".*".join(map(re.escape, pieces)), re.DOTALL)


def _tool(tool: ToolDefinition) -> Prompt:
    schema = json.dumps(dict(tool.schema), ensure_ascii=False, separators=(",", ":"))
    return Prompt(DEFINITIONS, f"tool {tool.name}", (tool.description, schema), "tool")


def _descriptions(text: str, schema: Mapping[str, Any]) -> Iterator[str]:
    """What a definition says in words: of the tool, and of all that it takes."""
    yield text
    for key, value in schema.items():
        if isinstance(value, Mapping):
            yield from _descriptions("", cast("Mapping[str, Any]", value))
        elif key == "description":
            yield value


def _tools() -> tuple[ToolDefinition, ...]:
    """The tools as a session with the usual configuration sends them."""
    with tempfile.TemporaryDirectory() as folder, at_home(Path(folder)) as work:
        session = opened(work)
        event = session.engine.log.entries[0].event
        asyncio.run(session.close())
    assert isinstance(event, Opened)
    return event.tools


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
