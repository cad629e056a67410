"""What every strategy would have cost in a session, as `/whatif` shows it."""

from octochat.replay.recording import ReadError
from octochat.replay.whatif import YOURS, legend, whatif
from octochat.session.session import Session


def compared(session: Session, width: int) -> str:
    """The lab's table of this session, under a line that says how to read it.

    It takes seconds: for a thread. A session of a free model is priced as the configuration's
    model; `width` is how many cells the table may take.
    """
    engine = session.engine
    entries = tuple(engine.log.entries)
    if not engine.state.ledger.calls:
        return "The model has not been called yet; there is nothing to compare."
    model = engine.state.model
    if session.known(model).prices.free:
        model = session.config.model
    try:
        table = whatif(engine.log.id, entries, session.config, model, width)
    except ReadError as error:
        return f"This session can't be replayed: {error}"
    return (
        f"What this session would have cost at the prices of {model}; {YOURS!r} is what your "
        f"configuration asks for. All are worked out from the log, so /cost may differ.\n\n"
        f"{table}\n\n" + "\n".join(legend(table))
    )
