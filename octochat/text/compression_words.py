"""A compression in words: the same in the transcript, in lines, on stderr and in an export."""

from collections.abc import Iterator, Mapping

from octochat.context.session.edits import PromptTrim, Worth
from octochat.context.session.events import Condensed
from octochat.text.figures import count, dollars, tokens

_NAMES: Mapping[str, str] = {"overflow": "Made to fit"}
"""By what set it off; all others are called by what they did."""


def compressed(event: Condensed) -> str:
    """One sentence without its full stop."""
    sizes = f"{tokens(event.before)} to {tokens(event.after)} tokens"
    saved = "" if event.fold else f", {tokens(event.before - event.after)} saved"
    return f"{name_of(event)}: {sizes}{saved}, {edited(event)}: {event.why}"


def name_of(event: Condensed) -> str:
    """What it is called: a participle."""
    return _NAMES.get(event.trigger, "Compressed" if event.fold else "Trimmed")


def edited(event: Condensed) -> str:
    """What became of which parts."""
    results = event.results_shortened
    prompts = sum(isinstance(trim, PromptTrim) and not trim.results for trim in event.trims)
    fold = event.fold
    parts = (
        f"#{fold.first} to #{fold.last} became a note" if fold else "",
        f"{count(results, 'tool result')} shortened" if results else "",
        f"{count(prompts, 'prompt')} shortened" if prompts else "",
    )
    return ", ".join(filter(None, parts))


def dropped(event: Condensed) -> Iterator[str]:
    """The knowledge that went because it holds no longer, a line each."""
    return (f"{k.kind}: {k.text}" for k in event.outdated if k.by == "model")


def doubted(event: Condensed) -> Iterator[str]:
    """What the person added and the note's writer found to hold no longer: it stays."""
    return (
        f"{k.kind}: {k.text} (you added it; /knowledge drop takes it away)"
        for k in event.outdated
        if k.by == "person"
    )


def bill(event: Condensed) -> str:
    """Whose it was, what it cost, and what it is expected to bring."""
    cost = f"paid {dollars(event.cost)}" if event.cost else ""
    worth = event.worth
    brings = f"expected to {gain(worth)}" if worth and worth.net else ""
    return ", ".join(filter(None, (event.by, cost, brings)))


def gain(worth: Worth) -> str:
    """`save $0.80 net`, `lose $0.10 net`, its own cost taken off: to follow a verb."""
    return f"{'lose' if worth.net < 0 else 'save'} {dollars(abs(worth.net))} net"
