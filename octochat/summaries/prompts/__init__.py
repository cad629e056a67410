"""Texts for models, as Markdown files beside this one."""

from importlib.resources import files
from string import Template


def prompt(name: str, **values: str) -> str:
    """The text of `NAME.md`, with its `$placeholders` filled in where values are given.

    Raises:
        KeyError: a placeholder has no value.
    """
    text = (files(__name__) / f"{name}.md").read_text(encoding="utf-8")
    return Template(text).substitute(values) if values else text
