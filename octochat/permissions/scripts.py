"""Which scripts of `sed` and `awk` only print: they may also run programs and write files.

Only what is plain to see is taken for it. Nothing is decided here.
"""

import re


def _regex(end: str) -> str:
    """A regular expression up to a sign; none stands in brackets, where sed does not end at it."""
    in_brackets = rf"[^\[\]\\{end}\n]|\\[\w.*+-]|\[:\w+:\]"
    begin = r"\[(?:\^?\]|\^(?!\])|(?![\]^]))"
    return rf"(?:[^{end}\\\[\n]|\\.|{begin}(?:{in_brackets})*\])*"


_ADDRESS = rf"(?:\d+|\$|/{_regex('/')}/I?)(?:~\d+)?"
_RANGE = rf"(?:{_ADDRESS}(?:,\+?{_ADDRESS})?)?\s*!?\s*"
_SUBSTITUTION = "|".join(
    rf"s{d}{_regex(d)}{d}(?:[^{d}\\\n]|\\.)*{d}[gpiI\d]*" for d in ("/", "\\|", ",", "#")
)
_SED = re.compile(rf"\s*{_RANGE}(?:[pdq=]|{_SUBSTITUTION}|\{{[pdq=;\s]*\}})?\s*(?:;|\Z)")
_SED_OPTION = re.compile(r"-[nErsuz]+|--(?:quiet|silent|regexp-extended|separate|null-data|posix)")
_SED_SCRIPT = re.compile(r"-[nErsuz]*e|--expression")
_AWK_NOT_PLAIN = re.compile(
    r"system|getline|ENVIRON|ARGV|ARGC|PROCINFO|SYMTAB|FUNCTAB|[>|@`]|\\\n|fflush|close"
)
_AWK_OPTION = re.compile(r"-F.*|-v\w+=[^/]*")
_MOST_CHARS = 500


def plain_sed(words: tuple[str, ...]) -> bool:
    """Whether a sed command only prints."""
    return sed_files(words) is not None


def plain_awk(words: tuple[str, ...]) -> bool:
    """Whether an awk command only prints."""
    return awk_files(words) is not None


def sed_files(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """The files that a sed command reads; None where it may do more than print."""
    scripts: list[str] = []
    others: list[str] = []
    rest = list(words[1:])
    while rest:
        word = rest.pop(0)
        if _SED_SCRIPT.fullmatch(word) and rest:
            scripts.append(rest.pop(0))
        elif word.startswith("--expression="):
            scripts.append(word.partition("=")[2])
        elif not word.startswith("-"):
            others.append(word)
        elif not _SED_OPTION.fullmatch(word):
            return None
    if not scripts:
        scripts, others = others[:1], others[1:]
    return tuple(others) if scripts and all(map(_plain_sed_script, scripts)) else None


def awk_files(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """The files that an awk command reads; None where it may do more than print."""
    rest = list(words[1:])
    while rest and rest[0].startswith("-"):
        option = rest.pop(0)
        if option in ("-F", "-v") and rest:
            rest.pop(0)
        elif not _AWK_OPTION.fullmatch(option):
            return None
    if not rest or _AWK_NOT_PLAIN.search(rest[0]) or any("=" in word for word in rest[1:]):
        return None
    return tuple(rest[1:])


def _plain_sed_script(script: str) -> bool:
    if len(script) > _MOST_CHARS:
        return False
    at = 0
    while at < len(script):
        found = _SED.match(script, at)
        if found is None or found.end() == at:
            return False
        at = found.end()
    return True
