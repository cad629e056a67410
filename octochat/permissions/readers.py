"""Commands that only read and print, and which files they read.

They are free where reading those files is: docs/permissions.md#commands-that-only-read.
"""

import re
from collections.abc import Mapping

from octochat.permissions.programs import called, git_parts, own_name
from octochat.permissions.risks import risks
from octochat.permissions.scripts import awk_files, sed_files
from octochat.permissions.searchers import known, pattern_at

_PRINTS = re.compile(
    r"echo|printf|true|false|:|pwd|sleep|seq|basename|dirname|whoami|uname|nproc|which"
)
"""Their arguments name no files whose content they show."""
_FILTERS = re.compile(
    r"cat|head|tail|wc|sort|uniq|cut|tr|nl|tac|rev|fold|expand|unexpand|paste|comm|join|column|"
    r"ls|stat|du|df|realpath|readlink|md5sum|sha1sum|sha256sum|cksum|od|hexdump|cmp|tree|find|file"
)
"""Each argument that is no option names a file, or does no harm if it is taken for one."""
_SEARCHERS = re.compile(r"grep|egrep|fgrep|rg|diff|jq")
"""Files may also be named right behind an option's letter, and the first argument be a pattern."""
_GIT_READERS = re.compile(
    r"status|log|diff|show|blame|ls-files|grep|rev-parse|describe|shortlog|merge-base|rev-list|"
    r"ls-tree|name-rev|count-objects|cherry|for-each-ref|show-ref|whatchanged|range-diff|var|version"
)
_JQ_NOT_PLAIN = re.compile(r"\benv\b|\$ENV|import|include|modulemeta")
_DATE_OPTION = re.compile(
    r"\+.*|-[uR]+|-I\w*|--(?:utc|universal|iso-8601|rfc-3339|rfc-email)(?:=\w+)?", re.DOTALL
)
_LEAVES: Mapping[str, re.Pattern[str]] = {
    name: re.compile(pattern)
    for name, pattern in {
        "tail": r"-[^-]*[fF].*|--f.*|--re.*",
        "file": r"-[^-]*[fmCzZS].*|--(?!mime|brief).*",
        "find": r"-L|-follow|-H",
        "tree": r"-l|-[^-]*[oR].*",
        "rg": r"-[^-]*[Lz].*|--follow|--search-zip",
        "ls": r"-[^-]*[LH].*|--dereference.*",
        "du": r"-[^-]*[LDHX].*|--(?:dereference|f|exclude-f).*",
        "wc": r"--f.*",
        "hexdump": r"-[^-]*f.*",
        **dict.fromkeys(("md5sum", "sha1sum", "sha256sum", "cksum"), r"-[^-]*c.*|--c.*"),
    }.items()
}
"""Options that lead out of what is named: through links, or to lists of further files."""


def files_read(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """The files that a command shows something of; None where it may do more than read.

    Words are taken for files where they may be some.
    """
    name = words[0]
    if name in ("test", "["):
        return _tested(words)
    if name == "sed":
        return sed_files(words)
    if name == "awk":
        return awk_files(words)
    if name == "command":
        return () if words[1:2] in (("-v",), ("-V",)) else None
    if risks(words) or any(_leaves(name, word) for word in words[1:]):
        return None
    if _PRINTS.fullmatch(name):
        return ()
    if name == "date":
        return () if all(map(_DATE_OPTION.fullmatch, words[1:])) else None
    if _FILTERS.fullmatch(name):
        return tuple(_named(words[1:], glued=False))
    return _searched(name, words) if _SEARCHERS.fullmatch(name) else None


def only_reads(words: tuple[str, ...]) -> bool:
    """Whether a command is known to change nothing, whatever it shows."""
    if own_name(words) == "git":
        rest = git_parts(words)[1]
        return bool(rest) and _GIT_READERS.fullmatch(rest[0]) is not None and not risks(words)
    return files_read((own_name(words), *words[1:])) is not None


def prints_only(words: tuple[str, ...]) -> bool:
    """Whether no argument of a command names a file whose content it shows or takes along."""
    return called(words) in (
        "echo",
        "printf",
        "true",
        "test",
        "[",
        "ls",
        "rm",
        "mkdir",
        "touch",
        "cd",
    )


def hidden_too(words: tuple[str, ...]) -> bool:
    """Whether what it finds itself may begin with a dot."""
    shows = re.compile(r"-[^-]*[u.].*|--(?:hidden|unrestricted|no-ignore).*")
    return words[0] != "rg" or any(map(shows.fullmatch, words[1:]))


def _leaves(name: str, word: str) -> bool:
    pattern = _LEAVES.get(name)
    return pattern is not None and pattern.fullmatch(word) is not None


def _tested(words: tuple[str, ...]) -> tuple[str, ...] | None:
    # Of `-v 'a[$(x)]'` bash runs x.
    return None if any("[" in word or "`" in word for word in words[1:]) else ()


def _searched(name: str, words: tuple[str, ...]) -> tuple[str, ...] | None:
    if name == "jq" and any(map(_JQ_NOT_PLAIN.search, words[1:])):
        return None
    if not known(words):
        return None
    given = list(words)
    if (pattern := pattern_at(words)) is not None:
        del given[pattern]
    return tuple(_named(tuple(given[1:]), glued=True))


def _named(words: tuple[str, ...], *, glued: bool) -> list[str]:
    """All in the words that may name a file."""
    found: list[str] = []
    for place, word in enumerate(words):
        if not word.startswith("-") or "--" in words[:place]:
            found.append(word)
        if word.startswith("--"):
            found += word.split("=", 1)[1:]
        elif glued and word.startswith("-"):
            found += (word[at:] for at in range(2, len(word)))
        if word.startswith("-") and ("/." in word or "/~" in word):
            found.append(word)
    return found
