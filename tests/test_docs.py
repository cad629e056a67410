"""What is cited is in the repository, what is generated is up to date, and README is short."""

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.generated_docs import pages
from tests.root import ROOT

PLACES = ("octochat/**/*.py", "octochat/**/*.md", "tests/**/*.py", "skills/**/*.md", "docs/*.md")
FILES = sorted(
    path
    for pattern in (*PLACES, "*.md", "*.toml", ".ci/*")
    for path in ROOT.glob(pattern)
    if path.is_file()
)
PAGE = re.compile(r"\bdocs/[\w-]+\.md(#[\w-]+)?")
LINK = re.compile(r"\]\((?!\w+:)([^)\s#]*)(#[\w-]+)?\)")
LAW = re.compile(r"\blaws?\s+([0-9]+)(?:\s+and\s+([0-9]+))?")
ELSEWHERE = re.compile(r"\b(?:design|issue)(?:,? section)? #?[0-9]", re.IGNORECASE)


def anchors(text: str) -> Iterator[str]:
    """The headings as a link names them."""
    plain = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    for title in re.findall(r"^#+ (.*)$", plain, re.MULTILINE):
        yield "#" + re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def missing(page: Path, anchor: str | None) -> str | None:
    if not page.exists():
        return f"{page}: no such file"
    if anchor and anchor not in anchors(page.read_text("utf-8")):
        return f"{page}: no heading {anchor}"
    return None


def prose(path: Path) -> str:
    """What people read: of Python the comments and docstrings, of all else everything."""
    text = path.read_text("utf-8")
    if path.suffix != ".py":
        return text
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return "\n".join(token.string for token in tokens if token.string.startswith(("#", '"""')))


def cited(path: Path) -> Iterator[tuple[Path, str | None]]:
    text = prose(path)
    for found in PAGE.finditer(text):
        yield ROOT / found[0].partition("#")[0], found[1]
    for law in LAW.finditer(text):
        for number in filter(None, law.groups()):
            yield ROOT / "docs/architecture.md", f"#law-{number}"
    if path.suffix == ".md" and "octochat" not in path.relative_to(ROOT).parts:
        for link in LINK.finditer(text):
            yield (path.parent / unquote(link[1]) if link[1] else path), link[2]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_cited_is_in_the_repository(path: Path) -> None:
    assert [fault for page, anchor in cited(path) if (fault := missing(page, anchor))] == []
    assert ELSEWHERE.search(prose(path)) is None


@pytest.mark.parametrize(("path", "text"), pages(), ids=lambda part: getattr(part, "stem", ""))
def test_generated_parts_are_up_to_date(path: Path, text: str) -> None:
    assert path.read_text("utf-8") == text, "poe docs"


def test_the_readme_has_at_most_150_lines() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 150
