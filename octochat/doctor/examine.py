"""Everything that is looked at, in the order in which it is told, and how it is told."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from octochat.doctor.disk import disk_findings
from octochat.doctor.finding import Finding, Patient, fault, note
from octochat.doctor.settings import settings_findings
from octochat.doctor.terminal import terminal_findings
from octochat.project.root import root_of
from octochat.skills.skills import discover, places
from octochat.text.figures import count
from octochat.text.harmless import one_line

_MARKS = {"fine": "ok", "note": "note", "fault": "FAULT"}


def examined(patient: Patient) -> tuple[Finding, ...]:
    """Look at everything. Contacts nobody, unless the patient may be asked `online`."""
    return (
        *settings_findings(patient),
        *terminal_findings(patient.environment),
        *disk_findings(patient),
        *_skills(patient.folder),
    )


def faults(findings: Sequence[Finding]) -> int:
    """How many want something done."""
    return sum(finding.state == "fault" for finding in findings)


def report(findings: Sequence[Finding]) -> str:
    """As text: a heading for each area, a line for each finding, and under it what to do."""
    return "\n".join(_lines(findings))


def data(findings: Sequence[Finding]) -> dict[str, Any]:
    """For programs: `faults`, their number, and `findings` with area, what, state and remedy."""
    return {"faults": faults(findings), "findings": [asdict(finding) for finding in findings]}


def _lines(findings: Sequence[Finding]) -> Iterator[str]:
    ordered = sorted(findings, key=lambda each: _areas(findings).index(each.area))
    for area, some in groupby(ordered, key=lambda each: each.area):
        yield area
        for each in some:
            yield f"  {_MARKS[each.state]:<5}  {one_line(each.what)}"
            if each.remedy:
                yield f"         {one_line(each.remedy)}"
    number = faults(findings)
    verb = "wants" if number == 1 else "want"
    yield f"{count(number, 'fault')} {verb} something done." if number else "Nothing to be done."


def _areas(findings: Sequence[Finding]) -> list[str]:
    return list(dict.fromkeys(each.area for each in findings))


def _skills(folder: Path) -> Iterator[Finding]:
    root = root_of(Path(os.path.realpath(folder)))
    found = discover(places(folder, user_config_path("octochat"), root), root)
    yield Finding("skills", count(len(found.skills), "skill"))
    for each in found.left_out:
        yield fault("skills", f"{each.file} is left out: {each.why}", "Mend it or remove it.")
    odd = [skill.name for skill in found.skills if skill.oddities]
    if odd or found.hidden:
        names = ", ".join((*odd, *(skill.name for skill in found.hidden)))
        yield note("skills", f"odd: {names}", "`octochat skills check` says what.")
