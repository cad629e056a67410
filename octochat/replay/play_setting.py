"""The world that a recording is played in: a model with its prices and its cache, and a writer.

Notes are written by the extractive summariser, since no model is at hand; they are billed as if
one of `writers` had written them, the cheapest.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from octochat.context.economics.worth import Writer, cheapest, summary_usage
from octochat.context.notes.transcript import transcript_size
from octochat.context.plans.note_source import NoteSource, without_model
from octochat.context.plans.situation import Situation
from octochat.context.session.content import Text
from octochat.context.session.edits import NoteRequest
from octochat.context.session.events import Entry, Usage
from octochat.engine.note_writer import WrittenNote
from octochat.models.catalogue import ModelInfo
from octochat.replay.weights import measure


@dataclass(frozen=True, slots=True)
class PlaySetting:
    """The world of a play."""

    info: ModelInfo
    """The model that is asked: its prices, its window, its cache."""
    writers: tuple[Writer, ...] = ()
    """Models that could write notes; none: notes cost nothing."""
    ttl: int = 300
    """Seconds that cache entries live."""
    margin: int = 1_000
    """`safety_margin_tokens`."""
    reserve: int = 20_000
    """Tokens kept free for the answer."""
    max_session: int = 0
    """`max_session_tokens`; 0: the window less the reserve."""
    note_max: int = 8_000
    """`note_max_tokens`."""
    recall: int = 0
    """Tokens that automatic recall may add to a prompt; 0: it is off."""
    of_model: "Callable[[str], PlaySetting | None] | None" = None
    """The same world with the model that a recording names, if its prices are known."""

    def of(self, recorded: str) -> "PlaySetting":
        """The world for a recording with this model."""
        other = self.of_model(recorded) if self.of_model and recorded else None
        return self if other is None else other

    def write(self, seen: Situation, request: NoteRequest, entries: Sequence[Entry]) -> WrittenNote:
        """The note that is asked for, and what a model would have asked for it."""
        # What the API's own block would keep is not known: a plain summary stands for it.
        server = request.style == "server"
        asked = replace(request, style="paragraph") if server else request
        source = NoteSource(seen, asked, entries)
        note = without_model(source, seen.state.knowledge, measure)
        # The API compacts with the model of the conversation, which reads its own cache.
        own = Writer(self.info.name, self.info.prices, shares_cache=True)
        writers = (own,) if server else self.writers
        usage, cost = _asked(writers, seen, transcript_size(source.units), request.answer)
        return WrittenNote((Text(note),), writer="extractive", usage=usage, cost=cost)


def _asked(
    writers: tuple[Writer, ...], seen: Situation, transcript: int, answer: int
) -> tuple[Usage, float | None]:
    """The tokens and the dollars of the call that would have written the note."""
    call = {"context": seen.size, "cached": seen.cached, "transcript": transcript, "note": answer}
    chosen = cheapest(writers, **call)
    if chosen is None:
        return Usage(), 0.0
    writer, cost = chosen
    return summary_usage(writer, **call), cost if writer.prices.known else None
