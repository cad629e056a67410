"""What the person wants of every note, from the configuration and from instructions."""

import pytest

from octochat.context.notes.guidance import guidance, section
from octochat.context.session.instructions import Instructions


def test_the_sections_of_all_files_follow_what_the_configuration_says() -> None:
    files = (
        Instructions("AGENTS.md", "Be kind.\n# Compression\nKeep ticket numbers."),
        Instructions("web/AGENTS.md", "# Compression\nKeep routes."),
        Instructions("gone.md", ""),
    )
    said = "Keep names.\n\nKeep ticket numbers.\n\nKeep routes."
    assert guidance(" Keep names. ", files) == said
    assert guidance("", ()) == ""
    long = Instructions("AGENTS.md", "# Compression\n" + "x" * 9_000)
    assert len(guidance("", (long,))) == 4_000


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("# Rules\nBe kind.\n\n## Compression\nKeep ticket numbers.\n\n## Style\nShort.", "Keep"),
        ("# Compression:\nKeep ticket numbers.\n## In tests\nAll of them.\n# Else\nNo.", "deeper"),
        ("### compression ###\n```sh\n# Compression\nls\n```\nKeep.\n### Else", "fence"),
        ("# Image compression\nUse PNG.\n```\n# Compression\n```\nUse Zopfli.", ""),
        ("", ""),
    ],
)
def test_the_section_on_compression_ends_at_the_next_heading_of_its_level(
    text: str, kind: str
) -> None:
    said = {
        "Keep": "Keep ticket numbers.",
        "deeper": "Keep ticket numbers.\n## In tests\nAll of them.",
        "fence": "```sh\n# Compression\nls\n```\nKeep.",
    }
    assert section(text) == said.get(kind, "")
