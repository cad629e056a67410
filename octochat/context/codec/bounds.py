"""Numbers and words with a range, as settings are checked against when they are read."""

import re
from typing import Annotated, TypeAlias

from octochat.context.codec.decode import Constraint

Count: TypeAlias = Annotated[int, Constraint("0 or more", lambda n: n >= 0)]
Positive: TypeAlias = Annotated[int, Constraint("1 or more", lambda n: n >= 1)]
Amount: TypeAlias = Annotated[float, Constraint("0 or more", lambda x: x >= 0)]
Share: TypeAlias = Annotated[float, Constraint("a number from 0 to 1", lambda x: 0 <= x <= 1)]
PositiveShare: TypeAlias = Annotated[
    float, Constraint("a number above 0, at most 1", lambda x: 0 < x <= 1)
]
Seconds: TypeAlias = Annotated[float, Constraint("a number of seconds above 0", lambda x: x > 0)]

_UNITS = {"s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0}
_DURATION = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)([smhd])")

DURATION = 'a duration such as "90s", "5m" or "1h"'
Duration: TypeAlias = Annotated[
    str, Constraint(DURATION, lambda text: bool(_DURATION.fullmatch(text)))
]
AutoDuration: TypeAlias = Annotated[
    str,
    Constraint(
        f'"auto" or {DURATION}', lambda text: text == "auto" or bool(_DURATION.fullmatch(text))
    ),
]


def seconds(duration: str) -> float:
    """A duration such as `90s`, `5m` or `1h` in seconds.

    Raises:
        ValueError: it has no such form.
    """
    match = _DURATION.fullmatch(duration)
    if match is None:
        raise ValueError(f'expected {DURATION}, got "{duration}"')
    return float(match[1]) * _UNITS[match[2]]
