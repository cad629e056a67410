"""What programs make of their arguments: the command that one runs, and how else it is written.

It goes by names: a program that is called like another one is taken for it. Nothing is decided
here.
"""

import re
from collections.abc import Iterator, Mapping

_LAUNCHERS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(options)
    for name, options in {
        "timeout": r"-[kspfv]|--(?:kill-after|signal)=\S+|--(?:preserve-status|foreground|verbose)",
        "nohup": r"(?!)",
        "nice": r"-n|-\d+|-n\d+|--adjustment=\d+",
        "ionice": r"-[cnt]|-[cn]\d",
        "setsid": r"-[fcw]|--(?:fork|ctty|wait)",
        "stdbuf": r"-[ioe][L0]|--(?:input|output|error)=[L0]",
        "command": r"-p",
        "builtin": r"(?!)",
        "exec": r"(?!)",
        "time": r"-p",
        "env": r"-i|-u",
        "xargs": r"-[0rtxnLIPdsE]|-[nLPs]\d+|-[Id]\S+|--null|--no-run-if-empty|"
        r"--max-(?:args|procs)=\d+",
    }.items()
}
"""Programs that run their first argument, and which of their options are known."""
_VALUED: Mapping[str, str] = {
    "timeout": "-k -s",
    "nice": "-n",
    "ionice": "-c -n",
    "env": "-u",
    "xargs": "-n -L -I -P -d -s -E",
}
_OPAQUE = re.compile(
    r"\.|source|eval|enable|alias|unalias|hash|trap|set|shopt|sudo|doas|su|chrt|script|watch|"
    r"parallel|ssh|busybox|entr|flock|chroot|unshare|nsenter|systemd-run|at|batch|crontab|"
    r"export|declare|typeset|local|readonly|read|mapfile|readarray|unset|let|"
    r"sh|bash|dash|zsh|ksh|fish|csh|tcsh|ash"
)
"""Commands that run what their arguments say, or change what names mean."""

_GIT_VALUED = re.compile(
    r"-C|-c|--git-dir|--work-tree|--namespace|--super-prefix|--config-env|--attr-source"
)
_GIT_COMMANDS = re.compile(
    r"add|am|annotate|apply|archive|bisect|blame|branch|bundle|cat-file|check-attr|"
    r"check-ignore|check-mailmap|check-ref-format|checkout|checkout-index|cherry|cherry-pick|"
    r"clean|clone|column|commit|commit-graph|commit-tree|config|count-objects|describe|diff|"
    r"diff-files|diff-index|diff-tree|difftool|fast-export|fast-import|fetch|fetch-pack|"
    r"filter-branch|for-each-ref|format-patch|fsck|gc|grep|gui|hash-object|help|hook|"
    r"http-push|init|log|ls-files|ls-remote|ls-tree|merge|merge-base|merge-file|merge-tree|"
    r"mergetool|mktag|mktree|mv|name-rev|notes|pack-objects|pack-refs|prune|pull|push|"
    r"range-diff|read-tree|rebase|reflog|remote|repack|replace|request-pull|rerere|reset|"
    r"restore|rev-list|rev-parse|revert|rm|send-email|send-pack|shortlog|show|show-branch|"
    r"show-ref|sparse-checkout|stash|status|stripspace|submodule|switch|symbolic-ref|tag|"
    r"update-index|update-ref|var|verify-commit|verify-pack|verify-tag|version|whatchanged|"
    r"worktree|write-tree"
)
_GIT_MEANS = {"send-pack": "push", "http-push": "push", "fetch-pack": "fetch"}
_GLOBAL_VALUED: Mapping[str, str] = {
    "docker": "-H --host -c --context --config -l --log-level",
    "kubectl": "-n --namespace --context --kubeconfig -s --server --cluster --user",
    "helm": "-n --namespace --kube-context --kubeconfig",
    "npm": "--prefix -C --registry -w --workspace",
    "pnpm": "--dir -C --filter -F",
    "yarn": "--cwd",
    "cargo": "--config -C --color -Z",
    "gh": "-R --repo",
    "go": "-C",
    "make": "-C -f -I -o -W -E",
    "uv": "--directory --project",
    "poetry": "-C --directory -P --project",
    "aws": "--profile --region --output --endpoint-url",
    "systemctl": "-H --host -M --machine",
    "hg": "-R --repository --cwd --config",
}
"""Options before the subcommand that have a value of their own."""


def opaque(words: tuple[str, ...]) -> bool:
    """Whether it may run something else than it is named after, and what can't be told."""
    name = called(words)
    if name in _LAUNCHERS:
        return inner(words) is None and len(words) > 1
    runs = name in ("find", "fd") and any(word.startswith(("-exec", "-ok", "-x")) for word in words)
    return runs or _OPAQUE.fullmatch(name) is not None


def called(words: tuple[str, ...]) -> str:
    """A command's name without the folder it is in."""
    return words[0].rpartition("/")[2]


def own_name(words: tuple[str, ...]) -> str:
    """What a command is called by a rule that allows: `./cat` is not the system's `cat`."""
    folder, _, name = words[0].rpartition("/")
    return name if folder in ("/bin", "/usr/bin") else words[0]


def operands(words: tuple[str, ...]) -> tuple[str, ...]:
    """The arguments that are no options: `-` is one, and so is all behind `--`."""
    given = words[1:]
    end = given.index("--") if "--" in given else len(given)
    before = (word for word in given[:end] if not word.startswith("-") or word == "-")
    return (*before, *given[end + 1 :])


def inner(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """The command that a command runs (`timeout 5 make`); None where there is none, or unsure."""
    name = called(words)
    options = _LAUNCHERS.get(name)
    if options is None:
        return None
    at = 1
    while at < len(words) and words[at].startswith("-"):
        if not options.fullmatch(words[at]):
            return None
        at += 2 if words[at] in _VALUED.get(name, "").split() else 1
    if name == "env" and at < len(words) and "=" in words[at]:
        return None  # a variable may change what is run
    if name == "timeout":
        at += 1
    return words[at:] or None


def readings(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """All that a command may be taken for: with its global options and without, its other names."""
    name = called(words)
    yield words
    words = (name, *words[1:])
    yield words
    if name.startswith("git-"):
        words = ("git", name.removeprefix("git-"), *words[1:])
        yield words
    if words[0] == "git":
        yield from _git_readings(words)
    else:
        yield _without_globals(words, _GLOBAL_VALUED.get(name, "").split())


def git_parts(words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The global options of a git command, and the rest: the subcommand with its arguments."""
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if _GIT_VALUED.fullmatch(words[at]) else 1
    return words[1:at], words[at:]


def unknown_subcommand(words: tuple[str, ...]) -> bool:
    """Whether it is a git command that may be somebody's alias of another one."""
    if called(words) != "git":
        return False
    options, rest = git_parts(words)
    defines = any("alias." in option.lower() for option in options) or "--config-env" in " ".join(
        options
    )
    return defines or (bool(rest) and not _GIT_COMMANDS.fullmatch(rest[0]))


def _git_readings(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    options, rest = git_parts(words)
    if not rest:
        return
    yield ("git", *rest)
    yield ("git", _GIT_MEANS.get(rest[0], rest[0]), *rest[1:])
    if rest[0] in ("subtree", "lfs", "svn", "p4", "annex"):
        yield ("git", *rest[1:])
    for option in options:
        name, _, value = option.removeprefix("-c").partition("=")
        if name.lower() == f"alias.{rest[0].lower()}":
            yield ("git", *value.removeprefix("!").split(), *rest[1:])
            yield (*value.removeprefix("!").split(), *rest[1:]) or ("git",)


def _without_globals(words: tuple[str, ...], valued: list[str]) -> tuple[str, ...]:
    at = 1
    while at < len(words) and words[at].startswith(("-", "+")):
        at += 2 if words[at] in valued else 1
    return (words[0], *words[at:])
