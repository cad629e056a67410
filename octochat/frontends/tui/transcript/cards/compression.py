"""A compression: what it was, what it cost and saved, and what it took and left."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.content import Content

from octochat.context.session.content import Text
from octochat.context.session.events import Condensed, EntryId
from octochat.context.session.tags import untagged
from octochat.frontends.tui.render.blocks import FAINT, Block, fits, styled
from octochat.frontends.tui.render.markdown import markdown
from octochat.frontends.tui.transcript.cards.card import Card, Page, header
from octochat.text.compression_words import doubted, dropped, gain, name_of
from octochat.text.figures import count, dollars, seconds, tokens
from octochat.text.harmless import harmless

INDENT = Content("  ")
SHOWN = 12
"""Replaced units that are listed while the card is not shown whole."""


@dataclass(frozen=True, slots=True)
class RemovedPart:
    """One thing that a compression folded or cut."""

    what: str
    """One line."""
    kept: bool = False
    """It survived the fold."""
    why: str = ""
    """Why it survived, or what a trim left of it."""


class CompressionCard(Card):
    """A compression that was made. Opened, it shows the note and what the note replaced."""

    foldable = True

    def __init__(
        self,
        at: float,
        event: Condensed,
        removed_parts: Callable[[], Sequence[RemovedPart]],
        entry: EntryId | None = None,
    ) -> None:
        super().__init__(at, entry)
        self._event = event
        self._removed_parts = removed_parts
        """Asked only when the card is opened."""
        self.restored = False
        """It was taken back."""

    def blocks(self, page: Page) -> Sequence[Block]:
        heads = [self._head(shares, money) for shares, money in self._forms()]
        head = next((head for head in heads if fits(head, page.width)), heads[-1])
        if not self.opened:
            return [head]
        return [head, *self._facts(), *self._note(page), *self._list()]

    def _head(self, shares: str, money: str) -> Block:
        event = self._event
        style = f"strike {FAINT}" if self.restored else "bold $text-accent"
        title = styled(
            (name_of(event), style),
            f"  {tokens(event.before)} → {tokens(event.after)}",
            (f"  {shares}" if shares else "", FAINT),
        )
        return header(("◆", "$text-accent"), title, money, opened=self.opened)

    def _forms(self) -> Sequence[tuple[str, str]]:
        """Shares and money from the fullest form to the barest: what matters least goes first."""
        event = self._event
        freed = f"−{100 * (1 - event.after / max(event.before, 1)):.0f} %"
        level = freed if event.level is None else f"{freed} · level {event.level + 1}"
        if self.restored:
            return ((level, "restored"), (freed, "restored"), ("", "restored"))
        paid = f"paid {dollars(event.cost)}" if event.writer and event.cost != 0 else ""
        worth = event.worth
        long, short = (
            " · ".join(filter(None, (paid, f"{verb} {gain(worth)}" if worth else "")))
            for verb in ("expected to", "to")
        )
        return ((level, long), (level, short), (freed, short), (freed, paid), (freed, ""), ("", ""))

    def _facts(self) -> Sequence[Block]:
        event = self._event
        reached = event.before / max(event.after, 1)
        ratio = f" (asked for: {event.ratio:g})" if event.ratio else ""
        rows = [
            ("why", event.why),
            ("by", f"{event.by}, {reached:.1f} times smaller{ratio}"),
            ("written by", f"{event.writer}, {seconds(event.seconds)}" if event.writer else ""),
            ("paid", self._paid()),
            ("worth", self._worth()),
            ("learned", "\n".join(f"{k.kind}: {k.text}" for k in event.learned)),
            ("dropped", "\n".join(dropped(event))),
            ("doubted", "\n".join(doubted(event))),
        ]
        blocks = [_fact(key, value) for key, value in rows if value]
        return [*blocks, _restore()] if not self.restored else blocks

    def _paid(self) -> str:
        event = self._event
        if not event.writer:
            return ""
        used = event.usage
        paid = f"{dollars(event.cost)} for {tokens(used.prompt)} in, {tokens(used.output)} out"
        return f"{paid}, left out of the session's bill (ignore_cost)" if event.ignored else paid

    def _worth(self) -> str:
        worth = self._event.worth
        if worth is None:
            return ""
        return (
            f"expected to {gain(worth)}: {count(worth.calls, 'call')} to come for "
            f"{dollars(worth.with_edit)}, its own cost included, instead of "
            f"{dollars(worth.without)}"
        )

    def _note(self, page: Page) -> Sequence[Block]:
        if self._event.fold is None:
            return []
        text = self._words or "(written by the API, and not readable here)"
        note = markdown(_line_by_line(harmless(text)), page.width - 4)
        bar = styled(("  │ ", "$text-accent 60%"))
        lined = [
            Block(
                x.text,
                lead=bar + x.lead,
                hang=bar + x.hang,
                right=x.right,
                fill=x.fill,
                wrap=x.wrap,
                action=x.action,
                value=x.value,
            )
            for x in note
        ]
        return [_title("The note that took its place"), *lined]

    def _list(self) -> Sequence[Block]:
        removed = self._removed_parts()
        if not removed:
            return []
        kept = sum(x.kept for x in removed)
        gone = len(removed) - kept
        words = f"What it took: {count(gone, 'part')}" + (f"; kept {kept}" if kept else "")
        shown = removed if self.whole else removed[:SHOWN]
        blocks = [_title(words), *(_part(x) for x in shown)]
        if len(shown) < len(removed):
            words = f"… {len(removed) - len(shown)} more; click or press m for all"
            blocks.append(Block(styled(("  " + words, "italic $text-primary")), action="more"))
        return blocks

    def text(self) -> str:
        return "\n".join(filter(None, (self._event.why, self._words)))

    @property
    def _words(self) -> str:
        """What the note says."""
        note = self._event.fold.note if self._event.fold else ()
        return "\n".join(untagged(block.text) for block in note if isinstance(block, Text))


def _line_by_line(note: str) -> str:
    """As Markdown whose lines stay apart: a note has one for each request."""
    return note.replace("\n", "  \n")


def _title(words: str) -> Block:
    return Block(Content("\n") + styled((f"  {words}", "bold")))


def _fact(key: str, value: str) -> Block:
    lead = styled((f"  {key:<11}", FAINT))
    return Block(Content(harmless(value)), lead=lead, hang=Content(" " * 13))


def _restore() -> Block:
    return Block(
        styled(("↶ ", "$text-primary"), ("Restore what it took", "underline $text-primary")),
        lead=INDENT,
        action="restore",
    )


def _part(part: RemovedPart) -> Block:
    mark, style = ("✓ ", "$text-success") if part.kept else ("· ", FAINT)
    why = (f"  {part.why}", f"italic {FAINT}")
    return Block(
        styled(harmless(part.what), why if part.why else ""),
        lead=styled(("  " + mark, style)),
        hang=Content("    "),
        wrap="cut",
    )
