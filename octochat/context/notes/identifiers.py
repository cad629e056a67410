"""What in a text can be meant again later: paths, ids, URLs, numbers with units, quotations.

Used twice: to write the index of artifacts into a note, and to measure what a strategy lost.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["path", "id", "url", "number", "quoted"]


@dataclass(frozen=True, slots=True)
class Identifier:
    """One exact thing that a text names."""

    kind: Kind
    text: str
    """As it stands in the text, without quotation marks and trailing punctuation."""


QUOTED_MIN = 4
"""Characters below which a quotation says nothing."""
QUOTED_MAX = 160
"""Characters above which a quotation is a passage."""

_ENDINGS = """
astro bash bat bib c cc cfg cjs clj cmake conf cpp cs css csv cts cxx dart db diff dockerfile
env ex exs fish gif go gradle graphql gz h hpp hs htm html ico ini ipynb java jpeg jpg js json
json5 jsonc jsonl jsx kt less lock log lua m map markdown md mdc mdx mjs mod mts nix nu out
patch pdf pen php pl png pony prisma proto ps1 psm1 py pyi r rb rs rst sass scala scss sh snap
sol sql sqlite sum svelte svg swift tar tcss tex tf tfvars toml tpl ts tsv tsx txt vue wasm
webp xml yaml yml zig zip zsh
"""
_EXTENSIONS = frozenset(_ENDINGS.split())
_AMBIGUOUS = "c conf db diff env h lock log m map mod out pl pony r rs sum"
"""Endings that only a folder makes a path of: `console.log`, `items.map`."""

_WORD = re.compile(r"[A-Za-z]:\\[\w.\\@+~-]+|[\w./@#+~-]{3,}")
_URL = re.compile(r"\b(?:https?|wss?|ftp|ssh|git|s3|file)://[^\s<>\"'`|\\)\]}]+")
_UNITS = (
    "%|ms|µs|ns|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|"
    "[KMGTkmgt]i?[Bb]|bytes?|bits?|chars?|characters?|words?|lines?|tokens?|px|rem|em|pt|dpi|"
    "fps|[kMG]?Hz|x|k|USD|EUR|GBP|dollars?|cents?|tests?|files?|errors?|warnings?|passed|failed|"
    "commits?|rows?|items?|points?|miles?|km|kg|g|mg|lbs?|cm|mm|m|°[CF]?|[WV]|GB/s|MB/s|req/s"
)
# Each pattern begins with a set of characters: that is what `re` can skip to quickly.
_NUMBER = re.compile(
    r"[$€£\d](?<![\w.,/-].)(?:(?<=[$€£])\s?\d[\d,]*(?:\.\d+)?(?:[kKmMbB]\b)?"
    rf"|(?<=\d)[\d,]*(?:\.\d+)?[ \t]{{0,2}}(?:{_UNITS})(?![\w/-])"
    r"|(?<=\d)\d{3}-\d\d-\d\d(?!\d))"
)
_LENGTH = f"{{{QUOTED_MIN},{QUOTED_MAX}}}"
_QUOTED = re.compile(
    rf"[\"`'“](?:(?<=\")([^\"\n\\]{_LENGTH})\"|(?<=`)([^`\n]{_LENGTH})`"
    rf"|(?<=')(?<!\w')([^'\n\\]{_LENGTH})'(?!\w)|(?<=“)([^”\n]{_LENGTH})”)"
)
_ERROR = re.compile(
    r"(?:E(?:rror|xception|RROR)|Warning|error|fatal|FAILED?|panic|npm ERR!|Traceback|"
    r"Segmentation fault|command not found)\b[:( ].{3,200}$",
    re.MULTILINE,
)
_BEFORE_ERROR = re.compile(r"[\w.]*$")
_INDEX_LINE = re.compile(r"^((?:[A-Za-z]:)?[^\s:,]*[/\\]): (\S.*)$", re.MULTILINE)

_ID = re.compile(
    r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"  # a UUID
    r"|(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}"  # a commit or another hash
    r"|#?[A-Z]{1,10}-?\d{2,}"  # a ticket, an order, a flight
    r"|#\w*\d{2,}"
    r"|(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z0-9]{5,}"  # a booking code
    r"|[A-Za-z]\w*_\d{3,}"  # a user or payment id
    r"|\d{5,}"
    r"|\d{3}-\d{3}-\d{4}"  # a telephone number
    r"|v?\d+\.\d+\.\d+(?:[-+][\w.]+)?"  # a version
    r"|(?=(?:\D*\d){4})(?=\d*[A-Za-z])[A-Za-z0-9_-]{16,}"  # a key or a generated id
)


@lru_cache(maxsize=8_192)
def identifiers(text: str) -> tuple[Identifier, ...]:
    """Every identifier in `text`, each once, kind by kind in the order they first stand there.

    A line of the artifact index, `FOLDER/: NAME, NAME`, names the paths FOLDER/NAME. Remembered,
    because every fold harvests again what the folds before it had harvested.
    """
    return tuple(dict.fromkeys(_scan(text)))


def is_path(word: str) -> bool:
    """Whether `word` looks like a path: rooted, several folders deep, or with a known ending."""
    if word[1:3] == ":\\":  # a drive
        return len(word) > len("C:\\x")
    name = word.rpartition("/")[2]
    stem, _, ending = name.rpartition(".")
    known = bool(stem or name.startswith(".")) and ending.lower() in _EXTENSIONS
    slashes = word.count("/")
    if not slashes:
        return (
            known and bool(stem) and ending not in _AMBIGUOUS.split() and ending == ending.lower()
        )
    if not name or "//" in word or not any(map(str.isalpha, word)):
        return False
    return known or slashes > 1 or word.startswith(("./", "../", "~/"))


def _scan(text: str) -> Iterator[Identifier]:
    for url in _URL.findall(text) if "://" in text else ():
        yield Identifier("url", url.rstrip(".,;:!?"))
    for word in dict.fromkeys(_WORD.findall(text)):
        if not word.isalpha() and (found := _classified(word)):
            yield found
    for folder, names in _INDEX_LINE.findall(text) if ": " in text else ():
        for name in names.split(", "):
            yield Identifier("path", folder + name.partition(" ")[0])
    for number in _NUMBER.findall(text):
        yield Identifier("number", " ".join(number.split()))
    for quotations in _QUOTED.findall(text):  # one of them, by the marks around it
        quoted = "".join(quotations).strip()
        if len(quoted) >= QUOTED_MIN:
            yield Identifier("quoted", quoted)
    for match in _ERROR.finditer(text):
        before = _BEFORE_ERROR.search(text[max(match.start() - 40, 0) : match.start()])
        yield Identifier("quoted", ((before.group() if before else "") + match.group()).strip())


@lru_cache(maxsize=65_536)
def _classified(word: str) -> Identifier | None:
    """The path or id that a word is; remembered, because the same words come again and again."""
    bare = word.rstrip(".-+~@#").lstrip("-+")
    if is_path(bare):
        return Identifier("path", bare)
    return Identifier("id", bare) if _ID.fullmatch(bare) else None
