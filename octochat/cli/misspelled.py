"""What was probably meant by words that are no arguments."""

import shlex
from collections.abc import Sequence
from difflib import get_close_matches

from octochat.cli.arguments import COMMANDS

CLOSE = 0.7
"""How much a word must have in common with a command, from 0 to 1: `hello` is not `help`."""


def misspelling_hint(given: Sequence[str], words: Sequence[str]) -> str:
    """Say so, and how to say it.

    Args:
        given: all that stood on the command line.
        words: those of them that are neither options nor values of one.
    """
    word = words[0]
    if word in COMMANDS:
        return f"put the command first: octochat {word} ..."
    if given[0] != word:
        return (
            f'{shlex.join(words)!r} is outside the prompt; put the whole prompt in quotes: -p "..."'
        )
    near = get_close_matches(word, COMMANDS, 1, CLOSE)
    meant = f"; did you mean octochat {shlex.join([*near, *words[1:]])}?" if near else ""
    prompt = as_shell_word(words)
    return f"there is no command {word!r}{meant}\nTo send it to the model: octochat -p {prompt}"


def as_shell_word(words: Sequence[str]) -> str:
    """The words as one word of a shell."""
    return shlex.quote(" ".join(words))
