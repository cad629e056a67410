"""`[sandbox]`: what a person says about it. It knows no files and no programs."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

SandboxMode: TypeAlias = Literal["off", "auto", "require"]


@dataclass(frozen=True, slots=True)
class SandboxSettings:
    """`[sandbox]`: commands run where they can change only this folder (docs/permissions.md)."""

    mode: SandboxMode = "off"
    """"auto": commands run in a sandbox, without a question; where there is none, octochat asks as
    without. "require": where there is none, no command runs. The same as --sandbox."""
    network: bool = False
    """Commands in the sandbox reach the network. They are asked about then."""
