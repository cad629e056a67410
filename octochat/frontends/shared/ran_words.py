"""A command that goes along with a prompt, in a few words for a person."""

from octochat.context.session.ran import Ran
from octochat.frontends.shared.drafts import Attached
from octochat.text.figures import size
from octochat.text.harmless import one_line


def ran_line(ran: Ran) -> str:
    """`! pytest -q · exit 1 in 2.3 s · 12 lines`."""
    much = (size(ran.output),) if ran.output else ()
    return " · ".join((f"! {one_line(ran.command)}", ran.ended, *much))


def attached(ran: Ran) -> Attached:
    """The command as it goes along with a message."""
    return Attached(ran_line(ran), ran.text())
