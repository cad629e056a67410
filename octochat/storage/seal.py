"""The checksum at the end of a line: CRC-32 in white space, which is legal JSON.

Any reader of JSON passes over it, also an octochat from before there were seals; a key would have
been refused by these. A line without a seal is one of theirs, or was edited by hand.
"""

from zlib import crc32

_LENGTH = 32
"""Characters: one for each bit."""
_BITS = str.maketrans("01", " \t")


def seal(body: bytes) -> str:
    """What stands behind a line with this content."""
    return f"{crc32(body):0{_LENGTH}b}".translate(_BITS)


def has_seal(line: bytes) -> bool:
    """Whether a line was written with a seal, right or wrong."""
    return len(line) - len(line.rstrip()) >= _LENGTH


def is_sealed(line: bytes) -> bool:
    """Whether a line has a seal, and the right one."""
    body = line.rstrip()
    return line[len(body) :] == seal(body).encode()


def unsealed(line: bytes) -> bytes:
    """A line as it can be parsed.

    Raises:
        ValueError: it has a seal, and is not as it was written.
    """
    if has_seal(line) and not is_sealed(line.removesuffix(b"\r")):  # somebody changed line ends
        raise ValueError("its checksum is wrong: the disk has changed it")
    return line.rstrip()
