"""The hooks of a session at work: what they are told of it, and the questions that they hear of."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from octochat.config.hook_files import FoundHooks
from octochat.config.load import Config
from octochat.hooks.hooks import Hooks, Moment
from octochat.hooks.tool_names import other_name, own_name
from octochat.permissions.ask import Approval, Approver, Verdict
from octochat.permissions.modes import Mode
from octochat.permissions.rule import Rule, parse
from octochat.permissions.rules import Allowed, Rules, decide
from octochat.storage.log import Log
from octochat.tools.base import Access
from octochat.tools.shell import environment

MODES: Mapping[Mode, str] = {
    "plan": "plan",
    "ask": "default",
    "accept-edits": "acceptEdits",
    "allow-all": "bypassPermissions",
    "read-only": "plan",
}
"""What hooks for Claude Code call the modes."""


def hooks_at_work(
    found: FoundHooks,
    folder: Path,
    config: Config,
    log: Log,
    mode: Callable[[], Mode],
    measure: Callable[[str], int],
) -> Hooks:
    """The hooks that run in the working folder."""

    def facts() -> Mapping[str, object]:
        return {
            "session_id": log.id,
            "transcript_path": str(log.path or ""),
            "cwd": str(folder),
            "permission_mode": MODES[mode()],
        }

    project = {"CLAUDE_PROJECT_DIR": str(found.project)} if found.hooks else {}
    return Hooks(
        found.hooks,
        folder=folder,
        env=environment(os.environ, config.tools.pass_environment) | project,
        facts=facts,
        covered=lambda rule, tool, access: covered(rule, tool, access, folder),
        measure=measure,
        mask_secrets=config.privacy.mask_secrets,
    )


def covered(rule: str, tool: str, access: Access, folder: Path) -> bool:
    """Whether a rule such as `Bash(rm *)` is about a call; it is where nobody can tell."""
    try:
        given = parse(rule)
    except ValueError:
        return True
    named = Rule(own_name(given.tool), given.pattern)
    rules = Rules(folder, deny=(named,))
    return not isinstance(decide(access, tool, rules, "allow-all"), Allowed)


@dataclass(frozen=True, slots=True)
class Notifying:
    """Someone who can be asked; hooks hear of each question."""

    approver: Approver
    hooks: Callable[[], Hooks]

    async def ask(self, approval: Approval) -> Verdict:
        """The answer."""
        name = other_name(approval.call)
        said = {
            "notification_type": "permission_prompt",
            "title": "Permission needed",
            "message": f"octochat needs your permission to use {name}",
        }
        self.hooks().beside(Moment("Notification", said, ("permission_prompt",)))
        return await self.approver.ask(approval)
