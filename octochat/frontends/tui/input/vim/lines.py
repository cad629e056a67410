"""Lines of a text, by places in characters from its beginning. Every vim key needs them."""


def line_start(text: str, at: int) -> int:
    """Where the line begins."""
    return text.rfind("\n", 0, at) + 1


def line_end(text: str, at: int) -> int:
    """Where its line break is, or the text ends."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def first_letter(text: str, at: int) -> int:
    """The first place in the line that is not blank."""
    start = line_start(text, at)
    line = text[start : line_end(text, at)]
    return start + len(line) - len(line.lstrip())


def whole_lines(text: str, first: int, last: int) -> tuple[int, int]:
    """From the beginning of the line at `first` to behind the line break after `last`."""
    return line_start(text, first), min(len(text), line_end(text, last) + 1)


def on_letter(text: str, at: int) -> int:
    """The nearest place on a character: outside insert mode the cursor is never behind the last."""
    at = max(0, min(at, len(text)))
    return max(line_start(text, at), min(at, line_end(text, at) - 1))
