"""How often a failed call is made again and how long to wait: the `[retry]` table."""

from dataclasses import dataclass

from octochat.context.codec.bounds import Duration, Positive, seconds


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """`[retry]`: what happens when a call of the model fails for a passing reason."""

    attempts: Positive = 6
    """How often a call is tried in all."""
    first_wait: Duration = "1s"
    """The wait before the second try. It doubles with each further one."""
    longest_wait: Duration = "1m"
    """The longest wait that octochat chooses itself."""
    patience: Duration = "5m"
    """The longest wait that the API may ask for."""

    def wait(self, attempt: int, asked: float | None, jitter: float) -> float:
        """Seconds before try number `attempt` (from 2 on).

        `asked` is what the API wants; `jitter`, from 0 to 1, spreads the waits of many clients over
        the upper half.
        """
        if asked is not None:
            return min(asked, seconds(self.patience))
        doubled = seconds(self.first_wait) * 2 ** (attempt - 2)
        return min(doubled, seconds(self.longest_wait)) * (1 + jitter) / 2
