"""A session's sandbox: who decides on it, and what is said of it to people."""

from dataclasses import replace

from octochat.permissions.rules import Rules, protects
from octochat.sandbox.sandbox import Sandbox
from octochat.sandbox.settings import SandboxMode, SandboxSettings
from octochat.sandbox.walls import Ground


def sandbox_of(said: SandboxMode | None, settings: SandboxSettings, rules: Rules) -> Sandbox | None:
    """The sandbox that the command line (`said`) or the configuration wants; None for none."""
    settings = settings if said is None else replace(settings, mode=said)
    if settings.mode == "off" or rules.scratch is None:
        return None
    ground = Ground(
        rules.folder, rules.scratch, rules.protected, lambda path: bool(protects(rules, path))
    )
    return Sandbox(settings, ground)


def no_sandbox(sandbox: Sandbox | None) -> str:
    """That there is none though one is wanted, in one line; else empty."""
    if sandbox is None or sandbox.on:
        return ""
    then = "no command runs" if sandbox.settings.mode == "require" else "commands run without"
    return f"No sandbox, {then}: {sandbox.missing}."


def told_to_person(sandbox: Sandbox | None) -> str:
    """What `/permissions` says of it."""
    if sandbox is None:
        return "Sandbox: off. --sandbox, or [sandbox] mode, has commands run in one."
    if not sandbox.on:
        return no_sandbox(sandbox)
    if sandbox.settings.network:
        return f"Sandbox: on ({sandbox.name}), with the network: commands in it are asked about."
    return (
        f"Sandbox: on ({sandbox.name}), without a network: commands in it are not asked about. "
        "They can change only this folder, the scratch folder and a /tmp of their own; protected "
        "files, secrets and other processes are out of reach. What has to run outside is asked "
        "about. Rules that deny or ask hold."
    )


def short(sandbox: Sandbox | None) -> str:
    """A word or two for the status line; empty where none is wanted."""
    if sandbox is None:
        return ""
    network = ", network" if sandbox.settings.network else ""
    return f"sandbox{network}" if sandbox.on else "no sandbox"
