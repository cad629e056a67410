"""No text for the model grows unseen, and none is forgotten."""

from math import floor
from pathlib import Path
from textwrap import dedent

import pytest

from tests.prompts.collected import Prompt, collected, kept, unused
from tests.prompts.literals import Literal, carried, literals

GROWTH = 1.1
"""How much longer than its number a text may be."""


def faults(prompts: tuple[Prompt, ...], numbers: dict[str, int]) -> list[str]:
    """What is to be done about the numbers, a line each."""
    known = {prompt.name for prompt in prompts}
    missing = [
        f'add "{p.name}" = {p.tokens} (or name it in FOR_PEOPLE, if no model reads it)'
        for p in prompts
        if p.name not in numbers
    ]
    grown = [
        f"{p.name} has {p.tokens} tokens; {numbers[p.name]} are kept: shorten it or raise them"
        for p in prompts
        if p.name in numbers and p.tokens > floor(numbers[p.name] * GROWTH)
    ]
    return [*missing, *grown, *(f"take {name} out" for name in numbers if name not in known)]


def test_no_text_has_grown_by_more_than_a_tenth_over_its_number() -> None:
    assert faults(collected(), dict(kept())) == []


def test_what_is_left_out_is_still_there_to_be_left_out() -> None:
    assert unused() == []


def test_a_text_that_grew_is_new_or_is_gone_is_told() -> None:
    prompt = Prompt("t", "a.md", ("word " * 110,), "file")
    assert faults((prompt,), {"a.md": prompt.tokens}) == []
    assert faults((prompt,), {"a.md": 90}) == [
        f"a.md has {prompt.tokens} tokens; 90 are kept: shorten it or raise them"
    ]
    new, gone = faults((prompt,), {"b.md": 90})
    assert new.startswith(f'add "a.md" = {prompt.tokens} ')
    assert gone == "take b.md out"


@pytest.mark.parametrize(
    "words",
    [
        "You are octochat",  # the system prompt
        "Run a command in bash",  # a tool
        "[interrupted by the person after {after}: the tool did not finish]",
        "the person did not allow it",
        "It stands for {len(parts.covers)} messages",  # a note
        "octochat cleared this result",
        "Passages of the folded part",  # what is recalled
        "Do not go on with the work",  # a request for a note
        "You decide on the compression",
        "no part of this change was accepted",
        "no such file or folder",
    ],
)
def test_every_sort_of_text_is_collected(words: str) -> None:
    assert any(words in part for prompt in collected() for part in prompt.parts)


def module(folder: Path, text: str) -> Path:
    path = folder / "module.py"
    path.write_text(dedent(text), "utf-8")
    return path


def test_sentences_are_read_as_templates_under_their_owner(tmp_path: Path) -> None:
    path = module(
        tmp_path,
        '''
        """A docstring of a module."""
        LIMIT: "a string annotation" = "cut at " + str(5) + " lines"
        """What it is."""
        PATTERN = re.compile("no text at all")
        NAMES = {"two words": "a value here", "key": "png"}

        class Tool:
            """A docstring of a class."""
            def run(self, shown: str = "by default") -> None:
                """A docstring of a function."""
                raise ToolError(f"{shown} has {len('a')} lines: "
                    f"read {shown}")
        ''',
    )
    assert literals(path) == (
        Literal("LIMIT", "cut at {str(5)} lines"),
        Literal("NAMES", "a value here"),
        Literal("Tool.run", "by default"),
        Literal("Tool.run", "{shown} has {len('a')} lines: read {shown}"),
    )


def test_elsewhere_only_what_is_on_its_way_to_the_model_is_read(tmp_path: Path) -> None:
    path = module(tmp_path, 'show("for the person")\nraise ToolError("for the model" if x else y)')
    assert carried(path) == (Literal("ToolError", "for the model"),)
