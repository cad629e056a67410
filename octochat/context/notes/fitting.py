"""How much of a ranked list fits into a budget of tokens, with as few measurements as possible."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, TypeVar

Measure: TypeAlias = Callable[[str], int]
"""Text to tokens."""

T = TypeVar("T")


def longest(
    items: Sequence[T], render: Callable[[Sequence[T]], str], budget: int, measure: Measure
) -> Sequence[T]:
    """The longest beginning of `items` that is at most `budget` tokens when it is rendered.

    Of a list that is far too long only as much is rendered and measured as may come in.
    """
    low, high, guess, bounded = 0, len(items), _guess(items, render, budget, measure), False
    while low < high:
        if measure(render(items[:guess])) <= budget:
            low = guess
        else:
            high, bounded = guess - 1, True
        guess = (low + high + 1) // 2 if bounded else min(2 * guess, high)
    return items[:low]


def shares(wants: Mapping[str, int], parts: Mapping[str, float], budget: int) -> dict[str, int]:
    """Tokens for each part: its share of `budget`, what one does not want going to the others.

    Arguments:
        wants: what each part would take if there were no limit, in tokens.
        parts: each part's weight; only the proportions count.
        budget: tokens for all of them, 0 or more.
    """
    given: dict[str, int] = {}
    waiting, left = dict(parts), budget
    while waiting:
        total = sum(waiting.values())
        offers = {part: int(left * weight / total) for part, weight in waiting.items()}
        modest = [part for part in waiting if wants[part] <= offers[part]]
        if not modest:
            return given | offers
        for part in modest:
            given[part] = wants[part]
            left -= wants[part]
            del waiting[part]
    return given


def cut(text: str, characters: int) -> str:
    """`text` if it is short enough, else its head and its tail, two to one, with a mark between."""
    if len(text) <= characters:
        return text
    left = max(characters - len(_MARK), 0)
    tail = left // 3
    return text[: left - tail].rstrip() + _MARK + (text[-tail:].lstrip() if tail else "")


_MARK = " […] "
_SAMPLE = 100
"""Items that tell how long the others are."""


def _guess(
    items: Sequence[T], render: Callable[[Sequence[T]], str], budget: int, measure: Measure
) -> int:
    """Where to look first: as if all items were as long as some of them from all over the list."""
    some = items[:: len(items) // _SAMPLE + 1]
    size = max(measure(render(some)), 1)
    return max(1, min(len(items), len(some) * budget // size))
