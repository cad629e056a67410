"""The project's instructions, and what they say of compression."""

from pathlib import Path

import pytest

from octochat.session.project_text import ProjectText, project_text


def test_the_first_file_that_there_is_counts(tmp_path: Path) -> None:
    assert project_text(tmp_path) == ProjectText()
    (tmp_path / "CLAUDE.md").write_text("Be kind.")
    assert project_text(tmp_path) == ProjectText("CLAUDE.md", "Be kind.")
    (tmp_path / "AGENTS.md").write_text("Be quick.")
    assert project_text(tmp_path) == ProjectText("AGENTS.md", "Be quick.")


@pytest.mark.parametrize(
    ("text", "section"),
    [
        ("# Rules\nBe kind.\n\n## Compression\nKeep ticket numbers.\n\n## Style\nShort.", "Keep"),
        ("# Compression:\nKeep ticket numbers.\n## In tests\nAll of them.\n# Else\nNo.", "deeper"),
        ("### compression ###\n```sh\n# Compression\nls\n```\nKeep.\n### Else", "fence"),
        ("# Image compression\nUse PNG.\n```\n# Compression\n```\nUse Zopfli.", ""),
        ("", ""),
    ],
)
def test_the_section_on_compression_ends_at_the_next_heading_of_its_level(
    text: str, section: str
) -> None:
    said = {
        "Keep": "Keep ticket numbers.",
        "deeper": "Keep ticket numbers.\n## In tests\nAll of them.",
        "fence": "```sh\n# Compression\nls\n```\nKeep.",
    }
    assert ProjectText("AGENTS.md", text).on_compression == said.get(section, "")
