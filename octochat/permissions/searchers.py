"""What the arguments of `grep`, `rg` and `jq` are: options, the values of these, and the pattern.

An option that is not known here may name a file. It knows nothing of what may be read.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class _Options:
    """The options of a program that name no file."""

    whole: re.Pattern[str]
    """A word that takes no other along."""
    begun: re.Pattern[str]
    """A word whose value is the next one."""


def _options(alone: str, valued: str, long: str, long_valued: str) -> _Options:
    """By letters without and with a value, and the same of long ones."""
    return _Options(
        re.compile(
            rf"-[{alone}\d]+|-[{alone}]*[{valued}].+|--(?:{long})(?:=.*)?|--(?:{long_valued})=.*",
            re.DOTALL,
        ),
        re.compile(rf"-[{alone}]*[{valued}]|--(?:{long_valued})"),
    )


_LETTERS = "EFGPiyvwxclLqosnHhbTZzUaI"
_LONG = (
    "ignore-case|no-ignore-case|invert-match|word-regexp|line-regexp|count|files-with-matches|"
    "files-without-match|only-matching|quiet|silent|no-messages|line-number|with-filename|"
    "no-filename|byte-offset|initial-tab|text|null|null-data|binary|extended-regexp|fixed-strings|"
    "basic-regexp|perl-regexp|line-buffered|color|colour|help|version"
)
_LONG_VALUED = (
    "include|exclude|exclude-dir|max-count|context|after-context|before-context|label|binary-files"
)
_GREP = _options(f"{_LETTERS}r", "ABCm", f"{_LONG}|recursive", _LONG_VALUED)
_GREP_PATTERN = re.compile(
    rf"-[{_LETTERS}r\d]*[ef].*|--(?:regexp|file|exclude-from)(?:=.*)?", re.DOTALL
)
"""A pattern as an option, or a file of patterns."""
_GREP_FOLDERS = re.compile(rf"-[{_LETTERS}r\d]*[dD].*|--(?:directories|devices)(?:=.*)?")
_GREP_SHALLOW = re.compile(
    rf"-[{_LETTERS}\d]*(?:[ABCmef].*)?|--(?:{_LONG}|{_LONG_VALUED}|regexp|file|)(?:=.*)?", re.DOTALL
)
_RG = _options(
    "FPSUisvwxclnNoHhIpqau0.",
    "tTgrEABCmMjd",
    r"hidden|no-ignore[\w-]*|ignore-case|smart-case|case-sensitive|word-regexp|line-regexp|"
    "fixed-strings|invert-match|count|count-matches|files-with-matches|files-without-match|"
    "only-matching|quiet|line-number|no-line-number|with-filename|no-filename|heading|no-heading|"
    "column|trim|multiline|multiline-dotall|pcre2|json|stats|vimgrep|text|null|pretty|"
    "no-messages|unrestricted",
    "type|type-not|glob|iglob|max-count|max-depth|context|after-context|before-context|"
    "max-columns|sort|sortr|replace|color|colors|encoding|threads|max-filesize",
)
_JQ = _options(
    "cnrRsSajCMe",
    r"\0",
    "compact-output|null-input|raw-output|raw-input|slurp|sort-keys|exit-status|ascii-output|"
    "join-output|color-output|monochrome-output|tab|seq|stream|unbuffered",
    "indent",
)
_PROGRAMS: Mapping[str, _Options] = {
    "grep": _GREP, "egrep": _GREP, "fgrep": _GREP, "rg": _RG, "jq": _JQ,
}  # fmt: skip


def pattern_at(words: tuple[str, ...]) -> int | None:
    """The place of the pattern; None where there is none, or what is taken for it may be a file."""
    options = _PROGRAMS.get(words[0])
    if options is None:
        return None
    named, unknown = _sorted(words, options)
    return named[0] if named and not unknown else None


def says_where(words: tuple[str, ...]) -> bool:
    """Whether it surely names what it looks into, and does not search the folder it is in."""
    options = _PROGRAMS.get(words[0])
    if options is None:
        return False
    named, unknown = _sorted(words, options)
    return len(named) > 1 and not unknown


def known(words: tuple[str, ...]) -> bool:
    """Whether a program of the `grep` family has only options that are known here."""
    if words[0] not in ("grep", "egrep", "fgrep"):
        return True
    others = _sorted(words, _GREP)[1]
    return all(_GREP_PATTERN.fullmatch(w) or _GREP_FOLDERS.fullmatch(w) for w in others)


def goes_deep(words: tuple[str, ...]) -> bool:
    """Whether it may show the content of files that it finds itself, below those that are named."""
    given = (word for word in words[1:] if word.startswith("-"))
    return words[0] == "rg" or (
        words[0] in ("grep", "egrep", "fgrep") and not all(map(_GREP_SHALLOW.fullmatch, given))
    )


def _sorted(words: tuple[str, ...], options: _Options) -> tuple[list[int], list[str]]:
    """The places of the words that are no options nor values of some; and unknown options."""
    named: list[int] = []
    unknown: list[str] = []
    at, ended = 1, False
    while at < len(words):
        word = words[at]
        if ended or not word.startswith("-") or word == "-":
            named.append(at)
        elif word == "--":
            ended = True
        elif options.begun.fullmatch(word):
            at += 1
        elif not options.whole.fullmatch(word):
            unknown.append(word)
        at += 1
    return named, unknown
