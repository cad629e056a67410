"""`/doctor`: whether octochat can work here, and what to do where it can't."""

import asyncio
from pathlib import Path

from octochat.commands.base import Command, Report, Saying
from octochat.doctor.examine import data, examined, report
from octochat.doctor.finding import Patient
from octochat.session.session import Session


async def _doctor(session: Session, _rest: str) -> Saying:
    patient = Patient(Path(session.engine.state.folder), session.config_flag)
    found = await asyncio.to_thread(examined, patient)
    yield Report(report(found), data(found))


DOCTOR_COMMANDS: tuple[Command, ...] = (
    Command("doctor", "", "what is wrong here, and what to do about it", _doctor, at_once=True),
)
"""Those that both front ends have."""
