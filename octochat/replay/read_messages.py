"""Conversations in Messages-API shape: an optional header, an optional system line, messages."""

from collections.abc import Iterator, Sequence

from octochat.context.session.content import Text
from octochat.context.session.events import Opened
from octochat.replay.api_blocks import Json, as_list, as_text, blocks
from octochat.replay.json_lines import JsonLine
from octochat.replay.recording import ParsedRecording
from octochat.replay.turns import MomentReader, RecordedMessage


def read_messages(name: str, lines: Sequence[JsonLine], faults: list[str]) -> ParsedRecording:
    """A Messages-API recording.

    The header's `human_message_indexes` says which user messages hold words of a person; where
    it is missing, all user text counts as a person's.

    Args:
        name: What to call the conversation.
        lines: The file's readable lines.
        faults: What was wrong with the others.
    """
    header: Json = lines[0].raw if lines and "role" not in lines[0].raw else {}
    body = [line for line in lines if line.raw is not header]
    system = "\n\n".join(_system(body))
    reader = MomentReader(faults)
    moments = tuple(reader.moments(_turns(body, header, faults)))
    return ParsedRecording(
        name, Opened(as_text(header.get("model")), system), moments, tuple(faults)
    )


def _system(lines: Sequence[JsonLine]) -> Iterator[str]:
    for line in lines:
        if line.raw.get("role") == "system":
            content = blocks(line.raw.get("content"))
            yield from (block.text for block in content if isinstance(block, Text))


def _turns(lines: Sequence[JsonLine], header: Json, faults: list[str]) -> Iterator[RecordedMessage]:
    people = header.get("human_message_indexes")
    human = None if people is None else frozenset(as_list(people))
    index = 0
    for line in lines:
        content, place = line.raw.get("content"), f"line {line.number}"
        match line.raw.get("role"):
            case "user":
                by_person = human is None or index in human
                yield RecordedMessage("user", blocks(content), by_person, place=place, index=index)
                index += 1
            case "assistant":
                yield RecordedMessage("assistant", blocks(content), place=place, index=index)
                index += 1
            case "system":
                pass
            case role:
                faults.append(f"{place}: left out, its role is {role!r}")
