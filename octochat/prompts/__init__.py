"""Texts for models, as Markdown files beside this one."""

from importlib.resources import files


def prompt(name: str) -> str:
    """The text of `NAME.md`."""
    return (files(__name__) / f"{name}.md").read_text(encoding="utf-8")
