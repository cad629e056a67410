"""What gives way when a request must fit, each step pure; the engine climbs them.

What each step does, and when: docs/compression.md#the-ladder.

1. old tool results and images are trimmed, 2. and 3. a compression at the hardest ratio, 4. the
oldest units go, notes last, 5. a clear error that names the part that is too big.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from octochat.context.plans.folding import gap, is_note
from octochat.context.plans.ranges import choose
from octochat.context.plans.situation import Situation
from octochat.context.plans.strategy import Strategy, levels_of
from octochat.context.session.content import Image, Opaque, Said, Text, plain_text
from octochat.context.session.edits import Plan, PromptTrim, ResultTrim, Trim
from octochat.context.session.state import State
from octochat.context.session.view import Note, Prompt, ShownResult, Step, Unit

CLEARED = "[octochat cleared this result to make room; `recall` can fetch it]"
PICTURES = "[octochat cleared the pictures and documents of this message to make room]"
WORTH_TRIMMING = 200
"""What clearing must save, in tokens."""
HARDEST = 8.0
"""The ratio where no level is configured."""
GAP_COST = 50
"""Tokens that the word about what was left out may take."""

Rung: TypeAlias = Callable[[Situation, int], Plan | None]
"""A step of the ladder: the plan that comes down to so many tokens, if there is one."""


def rungs(note_max: int, strategies: Sequence[Strategy]) -> tuple[Rung, ...]:
    """The steps in their order; each is asked for only if the one before was not enough.

    Args:
        note_max: `note_max_tokens`.
        strategies: those in force; the hardest of their levels counts.
    """

    def compress(situation: Situation, target: int) -> Plan | None:
        ratio = hardest(strategies, situation.window)
        return compression(situation, target, note_max, ratio)

    return trims, compress, drops


def hardest(strategies: Iterable[Strategy], window: int) -> float:
    """The ratio of "a compression at the hardest level" in a window of so many tokens."""
    ratios = (level.target_ratio for level in levels_of(strategies, window))
    return max(ratios, default=HARDEST)


def trims(situation: Situation, target: int) -> Plan | None:
    """Clear old tool results and pictures, the oldest first, until there are `target` tokens."""
    excess = situation.size - target
    found: list[Trim] = []
    for trim, saved in _clearings(situation):
        if excess <= 0:
            break
        if saved > WORTH_TRIMMING:
            found.append(trim)
            excess -= saved
    why = "the request must fit: old tool results and pictures"
    return Plan(why, trims=tuple(found)) if found else None


def _clearings(situation: Situation) -> Iterator[tuple[Trim, int]]:
    """What could be cleared, the oldest first, and the tokens that it saves."""
    for unit in situation.state.view.units:
        if unit.id not in situation.free:
            continue
        match unit:
            case Step(answers=answers):
                for answer in (answer for answer in answers if not answer.trimmed):
                    text = _cleared(answer)
                    saved = answer.size - situation.measure(text)
                    yield ResultTrim(answer.result.call_id, text), saved
            case Prompt(blocks=blocks) if shown := _shown(blocks):
                said = f"{plain_text(blocks)}\n{PICTURES} ({shown})".strip()
                yield PromptTrim(unit.id, said, bare=True), unit.size - situation.measure(said)
            case Prompt() | Note():
                pass


def _cleared(answer: ShownResult) -> str:
    shown = _shown(answer.result.content)
    return f"{CLEARED} ({shown} images or documents)" if shown else CLEARED


def _shown(blocks: Iterable[Said]) -> int:
    return sum(isinstance(block, Image | Opaque) for block in blocks)


def compression(
    situation: Situation, target: int, note_max: int, ratio: float = HARDEST
) -> Plan | None:
    """A fold of all that it takes, at the hardest; only the prompt and the last step stay."""
    state = situation.state
    request = choose(
        state.view.units,
        state.protected,
        excess=max(situation.size - target, int(situation.size * (1 - 1 / ratio))),
        tail=1,
        note_max=note_max,
    )
    if request is None:
        return None
    why = f"the request must fit: {situation.size:,} of {target:,} tokens"
    return Plan(why, request, ratio=ratio)


def drops(situation: Situation, target: int) -> Plan | None:
    """Leave out the oldest units, notes last, until the context has `target` tokens."""
    excess = situation.size - target + GAP_COST
    units = situation.state.view.units
    going: list[Unit] = []
    for unit in sorted(units, key=is_note):
        if excess > 0 and unit.id in situation.free:
            going.append(unit)
            excess -= unit.size
    if not going:
        return None
    ids = {unit.id for unit in going}
    places = [i for i, unit in enumerate(units) if unit.id in ids]
    run = units[places[0] : places[-1] + 1]
    kept = frozenset(unit.id for unit in run) - ids
    return Plan("the request must fit: the oldest messages", gap(run, kept))


def biggest(state: State) -> str:
    """The part that is too big, in words."""
    parts = [("the system prompt and the tool definitions", state.view.head)]
    for unit in state.view.units:
        match unit:
            case Prompt():
                parts.append((f'your message "{_start(unit)}"', unit.size))
            case Step():
                parts.append(("a reply of the model", unit.said))
                parts += [("the result of a tool", answer.size) for answer in unit.answers]
            case _:
                parts.append((f"the skill {unit.skill}" if unit.skill else "a note", unit.size))
    name, size = max(parts, key=lambda part: part[1])
    return f"{name} ({size:,} tokens)"


_START = 40
"""Characters by which a prompt is named."""


def _start(prompt: Prompt) -> str:
    text = " ".join(" ".join(b.text for b in prompt.blocks if isinstance(b, Text)).split())
    return text[:_START] + "..." if len(text) > _START else text
