"""The generated part of docs/prompts.md: every text, how long it is, and how long it may get."""

import json
from collections.abc import Iterator
from itertools import groupby

from octochat.storage.export import fenced
from tests.prompts.collected import Prompt, collected, count, kept


def page() -> str:
    """All texts by what they belong to."""
    return "\n".join(_page())


def _page() -> Iterator[str]:
    for title, found in groupby(collected(), lambda prompt: prompt.title):
        prompts = list(found)
        yield f"## {title}: {sum(prompt.tokens for prompt in prompts):,} tokens\n"
        for prompt in prompts:
            yield from _shown(prompt)


def _shown(prompt: Prompt) -> Iterator[str]:
    number = kept().get(prompt.name)
    allowed = "no number is kept" if number is None else f"kept: {number:,}"
    yield f"### `{prompt.name}`: {prompt.tokens:,} tokens ({allowed})\n"
    match prompt.kind:
        case "file":
            yield fenced(prompt.parts[0], "text") + "\n"
        case "tool":
            description, schema = prompt.parts
            yield fenced(description, "text") + "\n"
            told = json.dumps(json.loads(schema), ensure_ascii=False, indent=1)
            yield fenced(told, "json") + "\n"
        case "sentences":
            yield fenced("\n".join(map(_row, prompt.parts)), "text") + "\n"
        case "skill":
            pass


def _row(text: str) -> str:
    """A sentence behind its tokens."""
    return f"{count(text):>4}  " + text.strip("\n").replace("\n", "\n      ")
