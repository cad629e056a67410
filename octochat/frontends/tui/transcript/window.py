"""Which card stands at which line, for any number of cards.

Heights are estimates until a card was drawn once; a Fenwick tree keeps the sums, so that a
session of 5,000 turns costs as little as one of 50. It knows nothing of cards or widgets.
"""

from collections.abc import Callable


class Window:
    """Heights of cards in rows, and the place that the person looks at."""

    def __init__(self, measure: Callable[[int], int]) -> None:
        self._measure = measure
        """Draws a card and says how high it really is."""
        self._heights: list[int] = []
        self._exact: list[bool] = []
        self._sums: list[int] = [0]
        self.card = 0
        """The card at the top of the view."""
        self.row = 0
        """The row of that card at the top of the view."""

    def __len__(self) -> int:
        return len(self._heights)

    @property
    def total(self) -> int:
        """Rows of all cards."""
        return self.top(len(self._heights))

    @property
    def place(self) -> int:
        """The line at the top of the view."""
        return self.top(self.card) + self.row

    def append(self, guess: int) -> None:
        """Add a card that is about `guess` rows high."""
        self._heights.append(guess)
        self._exact.append(False)
        index = len(self._heights)
        self._sums.append(guess + self.top(index - 1) - self.top(index - (index & -index)))

    def cut(self, count: int) -> None:
        """Keep the first `count` cards."""
        del self._heights[count:], self._exact[count:], self._sums[count + 1 :]
        if self.card >= count:
            self.card, self.row = max(count - 1, 0), 0

    def forget(self, index: int) -> None:
        """A card has changed: its height, if it has one here, is an estimate again."""
        if index < len(self._exact):
            self._exact[index] = False

    def forget_all(self) -> None:
        """The width has changed: so has every height."""
        self._exact = [False] * len(self._exact)

    def top(self, index: int) -> int:
        """The line at which card `index` begins."""
        total = 0
        while index:
            total += self._sums[index]
            index -= index & -index
        return total

    def height(self, index: int) -> int:
        """The true height of a card."""
        if not self._exact[index]:
            self._exact[index] = True
            self._set(index, self._measure(index))
        return self._heights[index]

    def at(self, line: int) -> tuple[int, int]:
        """The card at a line, and which of its rows, by the heights known now."""
        index, rest = 0, line
        step = 1 << len(self._heights).bit_length()
        while step:
            if index + step <= len(self._heights) and self._sums[index + step] <= rest:
                index += step
                rest -= self._sums[index]
            step >>= 1
        if index >= len(self._heights):
            return max(len(self._heights) - 1, 0), 0
        return index, rest

    def scroll(self, delta: int) -> None:
        """Move by rows, exactly: cards on the way are measured."""
        if not self._heights:
            return
        card, row = self.card, min(self.row, max(self.height(self.card) - 1, 0)) + delta
        while row < 0 and card > 0:
            card -= 1
            row += self.height(card)
        while card < len(self) - 1 and row >= self.height(card):
            row -= self.height(card)
            card += 1
        self.card, self.row = card, max(row, 0)

    def jump(self, line: int) -> None:
        """Move to a line far away, by the heights known now."""
        self.card, self.row = self.at(max(line, 0))
        self.scroll(0)

    def settle(self, view: int) -> None:
        """Measure what `view` rows show from the top of the view on; never past the end."""
        if not self._heights:
            return
        self.scroll(0)
        shown = self.height(self.card) - self.row
        last = self.card
        while shown < view and last < len(self) - 1:
            last += 1
            shown += self.height(last)
        if shown < view:
            self.scroll(shown - view)

    def end(self, view: int) -> None:
        """Move to where the last card ends at the bottom of the view."""
        if not self._heights:
            return
        self.card, self.row = len(self) - 1, 0
        self.scroll(self.height(self.card) - view)

    def _set(self, index: int, height: int) -> None:
        change = height - self._heights[index]
        if not change:
            return
        self._heights[index] = height
        index += 1
        while index < len(self._sums):
            self._sums[index] += change
            index += index & -index
