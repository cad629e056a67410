"""`/review` and `/init`: prompts that octochat writes for a person, and the model carries out."""

from contextlib import aclosing

from octochat.commands.base import Command, Saying
from octochat.context.session.content import Text
from octochat.project.instructions import counting
from octochat.session.errands import init_request, review_request
from octochat.session.session import Session
from octochat.text.harmless import one_line


async def _review(session: Session, rest: str) -> Saying:
    async with aclosing(session.engine.turn((Text(review_request(rest)),))) as turn:
        async for item in turn:
            yield item


async def _init(session: Session, rest: str) -> Saying:
    there = counting(session.files.root) if session.files else None
    asked = "\n\n".join(filter(None, (init_request(one_line(str(there)) if there else ""), rest)))
    async with aclosing(session.engine.turn((Text(asked),))) as turn:
        async for item in turn:
            yield item


ERRAND_COMMANDS: tuple[Command, ...] = (
    Command(
        "review",
        "[BRANCH | COMMIT | TEXT]",
        "have a change reviewed; without a word, what is not committed",
        _review,
    ),
    Command("init", "[TEXT]", "have AGENTS.md written, or improved if there is one", _init),
)
"""Those that both front ends have."""
