"""A session as Markdown: how each of its events reads."""

import pytest

from octochat.context.session.content import (
    Block,
    Image,
    Opaque,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from octochat.context.session.edits import Fold, PromptTrim, ResultTrim
from octochat.context.session.events import (
    Condensed,
    Entry,
    Event,
    Opened,
    Prompted,
    Recalled,
    Replied,
    Returned,
    Reverted,
    Rewound,
    SkillLoaded,
)
from octochat.context.session.tags import RECALLED, SKILL, WORK, tagged
from octochat.storage.export import entry_markdown, fenced, markdown


def paragraphs(event: Event) -> list[str]:
    return list(entry_markdown(Entry(7, 0.0, 30, event)))


@pytest.mark.parametrize(
    ("event", "head"),
    [
        (Replied((Text("yes"),), model="m", cost=0.25), "## m (#7, $0.250)"),
        (Replied((Text("yes"),), "tool_use"), "## Model (#7)"),
        (Replied((Text("yes"),), "max_tokens", cost=0.0), "## Model (#7, max tokens, $0.000)"),
    ],
)
def test_a_reply_says_who_wrote_it_what_it_cost_and_why_it_ended_early(
    event: Replied, head: str
) -> None:
    assert paragraphs(event) == [head, "yes"]


@pytest.mark.parametrize(
    ("block", "shown"),
    [
        (Text(" so \n"), ["so"]),
        (Thinking(" hm\nso ", "s"), ["> *Thinking:* hm\n> so"]),
        (Thinking(" ", "s"), ["> *Thinking that the API did not show.*"]),
        (Image("image/png", "x"), ["*(a picture, image/png)*"]),
        (Opaque({"type": "odd"}), ["*(a block of the API: odd)*"]),
        (Opaque({}), ["*(a block of the API: unknown)*"]),
        (ToolResult("c", (Text("so"),)), ["so"]),
        (ToolCall("c", "bash", {"command": "ls"}), ["**Tool call** `bash`:", "```sh\nls\n```"]),
        (
            ToolCall("c", "grep", {"pattern": "é"}),
            ["**Tool call** `grep`:", '```json\n{\n  "pattern": "é"\n}\n```'],
        ),
        (
            ToolCall("c", "bash", {"command": "ls", "n": 1}),
            ["**Tool call** `bash`:", '```json\n{\n  "command": "ls",\n  "n": 1\n}\n```'],
        ),
    ],
    ids=lambda case: type(case).__name__,
)
def test_every_kind_of_block_is_readable(block: Block, shown: list[str]) -> None:
    assert paragraphs(Replied((block,)))[1:] == shown


def test_a_result_says_how_it_went_and_stands_in_a_fence() -> None:
    content = (Text("a"), Image("image/png", "x"))
    assert paragraphs(Returned("c", content, seconds=2.0, note="cut"))[1:] == [
        "```\na\n```",
        "*(a picture, image/png)*",
    ]
    (head,) = paragraphs(Returned("c", (), seconds=2.0, note="cut"))
    assert head.startswith("**Result** (#7, ")
    assert head.endswith(", cut):")
    (head,) = paragraphs(Returned("c", (), failed=True))
    assert head.startswith("**Failed** (#7, ")
    assert ", )" not in head


@pytest.mark.parametrize(
    ("note", "shown"),
    [
        ((Text(tagged(WORK, "They talked.\n\nA lot.")),), "> They talked.\n>\n> A lot."),
        ((Opaque({"type": "compaction"}),), "> (written by the API, and not readable here)"),
    ],
)
def test_a_compression_shows_its_note(note: tuple[Text | Opaque, ...], shown: str) -> None:
    head, note_shown = paragraphs(Condensed("pressure", "big", 900, 400, Fold(2, 5, note)))
    assert head.startswith("> ")
    assert "(#7, pressure)" in head
    assert note_shown == shown


def test_what_was_shortened_is_named() -> None:
    trims = (ResultTrim("c", "so"), PromptTrim(4, "so"))
    _, shortened = paragraphs(Condensed("ttl_prune", "old", 900, 400, trims=trims))
    assert shortened == "> Shortened: c, #4"


def test_what_octochat_told_the_model_stands_without_its_tags() -> None:
    assert paragraphs(Recalled(tagged(RECALLED, "oak")))[1] == "> oak"
    assert paragraphs(SkillLoaded("boats", tagged(SKILL, "row")))[1] == "```\nrow\n```"


@pytest.mark.parametrize(
    ("text", "fence"),
    [("a", "```"), ("a `` b", "```"), ("```\na\n```\n`````", "``````"), ("`````", "``````")],
)
def test_a_fence_is_longer_than_any_in_the_text(text: str, fence: str) -> None:
    assert fenced(text, "md") == f"{fence}md\n{text}\n{fence}"


def test_what_was_undone_is_left_out_and_said() -> None:
    events: tuple[Event, ...] = (
        Opened("m", "s", folder="/work"),
        Prompted((Text("first"),)),
        Replied((Text("one"),)),
        Prompted((Text("second"),)),
        Replied((Text("two"),)),
        Rewound(3),
        Condensed("compact", "so", 900, 400, Fold(2, 3, (Text("in short"),))),
        Reverted(7, None, 900, 900),
    )
    log = [Entry(n, 0.0, 30, event) for n, event in enumerate(events, 1)]
    text = markdown(log, "s-1", "A boat")
    assert text.startswith("# A boat\n\n- Session: s-1\n- Folder: /work\n- Model: m\n- Begun: ")
    assert "Forked from" not in text
    assert "first" in text
    assert "second" not in text
    assert "*Undone: what followed #3 (left out here).*" in text
    assert text.index("> in short") < text.index("*It was taken back later.*")
    assert markdown(log, "s-1", "").startswith("# s-1\n")
