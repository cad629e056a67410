"""The parts of docs/ that come from the code: `python -m tests.generated_docs` writes them anew.

A page marks such a part with `<!-- generated: NAME -->` and `<!-- /generated -->`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path

from octochat.cli.strategies import markdown
from octochat.commands.execute import COMMANDS
from octochat.commands.spec import together
from octochat.config.example import example
from octochat.context.strategies import STRATEGIES
from octochat.frontends.tui.screen_commands import SCREEN_COMMANDS
from octochat.frontends.tui.screens.help import APPROVAL_KEYS, EDITING_KEYS, INPUT_KEYS
from tests.prompts.page import page as prompts
from tests.root import ROOT

PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- /generated -->)", re.DOTALL)


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """Rows as a Markdown table."""
    cells = chain([head, ("---",) * len(head)], rows)
    return "".join(f"| {' | '.join(c.replace('|', '&#124;') for c in row)} |\n" for row in cells)


def keys() -> str:
    """The keys of the terminal, by what they are for."""
    named = [("In the input", INPUT_KEYS)]
    named += [(f'Editing, with `keys = "{name}"`', rows) for name, rows in EDITING_KEYS.items()]
    named += [("When you are asked for permission", APPROVAL_KEYS)]
    parts = [
        f"### {title}\n\n" + table(("key", "what it does"), ((f"`{k}`", v) for k, v in rows))
        for title, rows in named
    ]
    return "\n".join(parts)


def commands() -> str:
    """The slash commands."""
    every = together(COMMANDS, SCREEN_COMMANDS)
    rows = ((f"`{f'/{c.name} {c.usage}'.rstrip()}`", c.help) for c in every)
    return table(("command", "what it does"), rows)


def configuration() -> str:
    """The example configuration as a table for each of its tables."""
    return "\n".join(
        f"### `[{title}]`\n\n" + table(("key", "default", "what it is"), rows)
        if title
        else table(("key", "default", "what it is"), rows)
        for title, rows in _tables(example())
        if rows
    )


def _tables(text: str) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    title, rows, said = "", list[tuple[str, ...]](), list[str]()
    for line in text.splitlines():
        if found := re.match(r"(?:# )?\[+([^\]]+)\]+$", line):
            if found[1] != title:
                yield title, rows
                title, rows = found[1], []
            said = []
        elif found := re.match(r"(?:# )?([a-z_0-9]+) = (.*)$", line):
            row = (f"`{found[1]}`", f"`{found[2]}`", " ".join(said))
            known = [place for place, old in enumerate(rows) if old[0] == row[0]]
            if known:
                old = rows[known[0]]
                rows[known[0]] = (old[0], f"{old[1]}, {row[1]}", old[2])
            else:
                rows.append(row)
            said = []
        elif line.startswith("# "):
            said.append(line.removeprefix("# "))
        else:
            said = []
    yield title, rows


PARTS: Mapping[str, Callable[[], str]] = {
    "strategies": lambda: markdown(list(STRATEGIES.values())) + "\n",
    "keys": keys,
    "commands": commands,
    "configuration": configuration,
    "prompts": prompts,
}


def pages() -> Iterator[tuple[Path, str]]:
    """Every page with such parts, and its text as it should be."""
    for path in sorted((ROOT / "docs").glob("*.md")):
        text = path.read_text("utf-8")
        anew = PART.sub(lambda part: part[1] + PARTS[part[2]]() + part[3], text)
        if PART.search(text):
            yield path, anew


def main() -> None:
    """Write what has changed."""
    for path, text in pages():
        path.write_text(text, "utf-8")
    (ROOT / "config.example.toml").write_text(example(), "utf-8")


if __name__ == "__main__":
    main()
