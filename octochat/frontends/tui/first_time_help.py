"""What the commands that matter most are about, told when they are used for the first time."""

from collections.abc import Callable, Iterable

EXPLAINED = {
    "/info": (
        "How full the context is, from which size on it is compressed and what every strategy "
        "would do now and why, and what the session has cost. None of it is sent to the model."
    ),
    "/context": (
        "What the next request sends. A unit is a prompt, an answer with its tools' results, or a "
        "note in place of older ones; a pinned unit survives every compression."
    ),
    "/done": (
        "The task is over: all that was said becomes one note, so that the next task begins with a "
        "small, cheap context. The log keeps every word, and /restore takes it back."
    ),
}


class FirstTimeHelp:
    """Explains every command once."""

    def __init__(self, sent: Callable[[], Iterable[str]]) -> None:
        """`sent` gives the input's history."""
        self._sent = sent
        self._told: frozenset[str] = frozenset()
        """What was explained while this runs."""

    def on(self, text: str) -> str:
        """What a command is about, the first time that it is used; else nothing."""
        words = explanation(text, self._sent())
        told, self._told = self._told, self._told | {words}
        return "" if words in told else words


def explanation(text: str, sent: Iterable[str]) -> str:
    """What a command is about, if it was not sent before; empty for all else.

    `sent` is the input's history. It may hold the command itself already, as its last line.
    """
    word = _command(text)
    if word not in EXPLAINED or sum(_command(line) == word for line in sent) > 1:
        return ""
    return EXPLAINED[word]


def _command(text: str) -> str:
    return text.split(maxsplit=1)[0] if text.split() else ""
