"""Three sets of values between "lose little" and "pay little"; single keys override them.

Chosen with the lab: docs/lab.md#profiles. It knows nothing of files.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, TypeAlias

from octochat.config.compression import CompressionSettings
from octochat.context.plans.strategy import BuiltInLevels, Level

ProfileName: TypeAlias = Literal["careful", "balanced", "thrifty"]
Values: TypeAlias = Mapping[str, Mapping[str, Any]]
"""Settings by table and key."""

_DEFAULT = CompressionSettings()

PROFILES: Mapping[ProfileName, Values] = {
    "careful": {
        "compression": {
            "pressure_levels": BuiltInLevels(
                (Level(100_000, 2.0), Level(150_000, 4.0), Level(170_000, 8.0))
            ),
            "note_max_tokens": 12_000,
        },
        "recall": {"tokens": 3_000},
    },
    "balanced": {
        "compression": {
            "pressure_levels": _DEFAULT.pressure_levels,
            "note_max_tokens": _DEFAULT.note_max_tokens,
        },
        "recall": {"tokens": 1_500},
    },
    "thrifty": {
        "compression": {
            "pressure_levels": BuiltInLevels((Level(40_000, 8.0),)),
            "note_max_tokens": 12_000,
        },
        "recall": {"tokens": 1_500},
    },
}
"""`balanced` is what every key has by default."""


def filled(
    profile: ProfileName, tree: Mapping[str, Any], settings: Mapping[str, Any]
) -> dict[str, Any]:
    """The tables with the profile's values where a person wrote none.

    Args:
        profile: whose values.
        tree: what was written.
        settings: what was read from it, by table.
    """
    return {
        table: replace(
            settings[table],
            **{key: value for key, value in values.items() if key not in tree.get(table, {})},
        )
        for table, values in PROFILES[profile].items()
    }


def changed(old: ProfileName, new: ProfileName, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The tables with the new profile's values where the old one's are in force."""
    return {
        table: replace(
            settings[table],
            **{
                key: PROFILES[new][table][key]
                for key, value in values.items()
                if getattr(settings[table], key) == value
            },
        )
        for table, values in PROFILES[old].items()
    }
