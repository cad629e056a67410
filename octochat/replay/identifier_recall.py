"""Of the identifiers that the agent of one recording used again, where they were."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from octochat.context.notes.identifiers import Kind
from octochat.replay.recall import Use


@dataclass(frozen=True, slots=True)
class RecallShare:
    """Of the identifiers that were used again, where they were."""

    count: int = 0
    """Identifiers, or uses of them."""
    in_context: int = 0
    recallable: int = 0
    """Not in the context, but named there as something that `recall` can fetch."""

    def __add__(self, other: "RecallShare") -> "RecallShare":
        return RecallShare(
            self.count + other.count,
            self.in_context + other.in_context,
            self.recallable + other.recallable,
        )

    @property
    def share(self) -> float | None:
        """The part that was in the context; None where nothing was used again."""
        return self.in_context / self.count if self.count else None

    @property
    def reach(self) -> float | None:
        """The part that was in the context or could be recalled."""
        return (self.in_context + self.recallable) / self.count if self.count else None


@dataclass(frozen=True, slots=True)
class IdentifierRecall:
    """The identifiers of one or more recordings."""

    far: RecallShare = RecallShare()
    """Each identifier counts once in a recording: it was there if it was at every far use."""
    near: RecallShare = RecallShare()
    """The same for the near uses."""
    far_uses: RecallShare = RecallShare()
    """Every far use counts."""
    kinds: Mapping[Kind, RecallShare] = field(default_factory=dict[Kind, RecallShare])
    """As `far`, for all uses of identifiers of a kind."""

    def __add__(self, other: "IdentifierRecall") -> "IdentifierRecall":
        kinds = dict(self.kinds)
        for kind, share in other.kinds.items():
            kinds[kind] = kinds.get(kind, RecallShare()) + share
        return IdentifierRecall(
            self.far + other.far, self.near + other.near, self.far_uses + other.far_uses, kinds
        )


def identifier_recall(uses: Iterable[Use], fates: str, common: frozenset[str]) -> IdentifierRecall:
    """Each use with its `play.Fate`, counted; `common` names are left out."""
    known = [
        (use, fate) for use, fate in zip(uses, fates, strict=True) if use.name.text not in common
    ]
    far = [pair for pair in known if pair[0].far]
    kinds: set[Kind] = {use.name.kind for use, _ in known}
    return IdentifierRecall(
        _share(_worst(far)),
        _share(_worst([pair for pair in known if not pair[0].far])),
        _share(fate for _, fate in far),
        {
            kind: _share(_worst([pair for pair in known if pair[0].name.kind == kind]))
            for kind in sorted(kinds)
        },
    )


def _share(fates: Iterable[str]) -> RecallShare:
    seen = "".join(fates)
    return RecallShare(len(seen), seen.count("c"), seen.count("r"))


def _worst(known: Sequence[tuple[Use, str]]) -> Iterator[str]:
    """For each identifier the worst that happened to it."""
    worst: dict[str, str] = {}
    for use, fate in known:
        before = worst.get(use.name.text, fate)
        worst[use.name.text] = min(before, fate, key=_ORDER.index)
    yield from worst.values()


_ORDER = "lrc"
"""Lost, to be recalled, in the context: from bad to good."""
