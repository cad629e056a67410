"""The configuration with the origin of each value, the login, the server, the model, strategies."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast
from urllib.parse import urlsplit

from octochat.config.by_login import for_login, origins
from octochat.config.load import Config, ConfigError, Loaded, load, user_file
from octochat.context.codec.trees import to_tree
from octochat.doctor.finding import Finding, Patient, fault, note
from octochat.models.catalogue import catalogue, near
from octochat.models.claude.credentials import KEY, LOOPBACK, NO_KEY, TOKEN, URL, Credentials
from octochat.models.login import login
from octochat.models.names import bare
from octochat.models.providers import connected
from octochat.models.tokens.ruler import Ruler
from octochat.sandbox.probe import Program
from octochat.sandbox.settings import SandboxSettings
from octochat.tools.shell import environment

ANTHROPIC = "https://api.anthropic.com"
_KEYLESS = ("offline", "seat")
"""Models that need no server."""


def settings_findings(patient: Patient) -> Iterator[Finding]:
    """All that follows from the configuration and the environment."""
    try:
        loaded = load(patient.folder, flag=patient.config)
    except ConfigError as error:
        first, *more = str(error).split("\n")
        remedy = (
            "Mend the file: octochat does not start with it. What follows goes by the defaults."
        )
        yield fault("configuration", first, remedy)
        yield from (fault("configuration", line, "Mend this, too.") for line in more)
        loaded = Loaded(Config())
    else:
        yield from _written(loaded, patient)
    yield from _login(loaded.config, patient)
    yield from _model(loaded.config, patient)
    yield from _strategies(loaded)
    yield from _hidden(loaded.config, patient)
    yield from _sandbox(loaded.config.sandbox, patient)


def _written(loaded: Loaded, patient: Patient) -> Iterator[Finding]:
    read = ", ".join(map(str, loaded.files))
    yield Finding("configuration", f"read from {read}" if read else f"no file: {user_file()}")
    tree = to_tree(replace(loaded.config, strategy={}))
    for key, file in sorted(loaded.written.items()):
        yield Finding("configuration", f"{key}{_value(tree, key)}, from {file}")
    yield Finding("configuration", "every other value is the default: docs/configuration.md")
    used = for_login(loaded.config, login(patient.environment))
    if used != loaded.config:
        for origin in origins(loaded.config, login(patient.environment)):
            yield Finding("configuration", origin)
    for notice in loaded.notices:
        if notice not in loaded.known.notices:
            yield note("configuration", notice)


def _value(tree: Any, key: str) -> str:
    """What a key has, where that can be said in a few words."""
    for step in key.split("."):
        table = cast("dict[str, Any]", tree) if isinstance(tree, dict) else {}
        if step not in table:
            return ""
        tree = table[step]
    return f" = {tree}" if isinstance(tree, str | int | float | bool) else ""


def _login(config: Config, patient: Patient) -> Iterator[Finding]:
    said = Credentials.of(patient.environment)
    needed = bare(config.model).partition(":")[0] not in _KEYLESS
    if said.lack and (needed or said.lack is not NO_KEY):
        area = "server" if said.lack.what.startswith(URL) else "key"
        yield fault(area, said.lack.what, said.lack.remedy)
    elif said.key or said.token:
        yield Finding("key", f"{KEY if said.key else TOKEN} is set")
    else:
        why = "the server may need none" if said.url else f"{config.model} needs none"
        yield Finding("key", f"none; {why}")
    if said.key and said.token:
        yield note("key", f"{TOKEN} is set as well; octochat takes {KEY}")
    yield from _server(said)


def _server(said: Credentials) -> Iterator[Finding]:
    parts = urlsplit(said.url or ANTHROPIC) if not said.lack or said.lack is NO_KEY else None
    if parts is None:
        return
    where = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        what = f"{where}: the key and all that is said go there unencrypted"
        yield note("server", what, f"Use https in {URL}, if the server speaks it.")
    else:
        yield Finding("server", f"{where}{f', from {URL}' if said.url else ''}")


def _model(config: Config, patient: Patient) -> Iterator[Finding]:
    known = catalogue(config.models)
    model = known(config.model)
    if model.prices.known:
        yield Finding("model", f"{model.name}, window of {model.window:,} tokens")
    else:
        meant = f" Did you mean {' or '.join(names)}?" if (names := near(model.name)) else ""
        yield fault(
            "model",
            f"octochat doesn't know what {model.name} costs",
            f'Set input and output under [models."{model.name}"]; 0.0 for a model of your own.'
            f"{meant}",
        )
    if patient.online:
        yield asyncio.run(_asked(config, patient))
    if why := Ruler(model.name).load():
        yield note("tokenizer", why, "Install octochat anew to have them counted.")
    else:
        yield Finding("tokenizer", "o200k_base, calibrated to what the API bills")


async def _asked(config: Config, patient: Patient) -> Finding:
    """What the server says of the model."""
    models = connected(config, catalogue(config.models), patient.environment)
    name = bare(config.model)
    try:
        found = await models.describe(name)
    finally:
        await models.close()
    if found:
        return Finding("server", f"it answers, and knows {name}")
    if name.partition(":")[0] in _KEYLESS:
        return Finding("server", f"not asked: {name} needs none")
    return fault(
        "server",
        f"it did not say that it knows {name}",
        '`octochat -p "hello" --max-cost 0.01` shows why (a server of your own may not tell of '
        "its models and still answer).",
    )


def _hidden(config: Config, patient: Patient) -> Iterator[Finding]:
    """What commands do not see of the environment."""
    seen = environment(patient.environment, config.tools.pass_environment)
    hidden = sorted(set(patient.environment) - set(seen))
    if hidden:
        yield note(
            "shell",
            f"commands do not see {', '.join(hidden)}",
            "Where one needs it: [tools] pass_environment.",
        )
    else:
        yield Finding("shell", "commands see the whole environment: nothing in it looks secret")


def _sandbox(settings: SandboxSettings, patient: Patient) -> Iterator[Finding]:
    """Whether there can be one, wanted or not."""
    found = patient.sandbox(settings.network)
    wanted = settings.mode != "off"
    if isinstance(found, Program):
        off = "" if wanted else "; off, [sandbox] mode or --sandbox turns it on"
        yield Finding("sandbox", f"{found.name} works here{off}")
    elif wanted:
        remedy = 'See docs/permissions.md, "The sandbox", or set [sandbox] mode = "off".'
        yield fault("sandbox", f'mode is "{settings.mode}", but {found.why}', remedy)
    else:
        yield note("sandbox", f"off, and there can be none: {found.why}")


def _strategies(loaded: Loaded) -> Iterator[Finding]:
    names = ", ".join(strategy.name for strategy in loaded.config.pipeline)
    yield Finding("strategies", names or "none: the context is left alone up to its limit")
    for notice in loaded.known.notices:
        yield fault("strategies", notice, "Mend it, or take it out of [context] strategies.")
