"""What vim's operators and commands do to the text of an editor."""

from collections.abc import Callable, Mapping

from octochat.frontends.tui.input.editor import Editor
from octochat.frontends.tui.input.vim.lines import first_letter, line_end, line_start, on_letter
from octochat.frontends.tui.input.vim.spans import Span

INDENT = "    "


def yank(editor: Editor, span: Span) -> None:
    """Keep it to be put."""
    text = editor.text[span.start : span.end]
    editor.kills.add(text.removesuffix("\n") + "\n" if span.lines else text)
    editor.go(span.start)


def delete(editor: Editor, span: Span) -> None:
    """Take it out and keep it."""
    yank(editor, span)
    start, end, text = span.start, span.end, editor.text
    if span.lines and end == len(text) and not text.endswith("\n", start, end):
        start = max(0, start - 1)  # the last line goes with the break before it
    editor.take(start, end)
    if span.lines:
        editor.go(first_letter(editor.text, editor.at))


def change(editor: Editor, span: Span) -> None:
    """Take it out, but of whole lines leave an empty one."""
    yank(editor, span)
    broken = span.lines and editor.text.endswith("\n", span.start, span.end)
    editor.take(span.start, span.end - broken)


def _rewrite(how: Callable[[str], str]) -> Callable[[Editor, Span], None]:
    def act(editor: Editor, span: Span) -> None:
        editor.rewrite(span.start, span.end, how(editor.text[span.start : span.end]))
        editor.go(span.start)

    return act


def _indented(text: str) -> str:
    lines = text.split("\n")
    return "\n".join(INDENT + line if line.strip() else line for line in lines)


def _dedented(text: str) -> str:
    lines = text.split("\n")
    cut = (len(line) - len(line.lstrip(" ")) for line in lines)
    return "\n".join(
        line[min(len(INDENT), blank) :] for line, blank in zip(lines, cut, strict=True)
    )


ACTS: Mapping[str, Callable[[Editor, Span], None]] = {
    "d": delete,
    "c": change,
    "y": yank,
    "g~": _rewrite(str.swapcase),
    "gu": _rewrite(str.lower),
    "gU": _rewrite(str.upper),
    ">": _rewrite(_indented),
    "<": _rewrite(_dedented),
}
"""What each operator does with a part of the text."""


def put_after(editor: Editor, count: int) -> None:
    """Put what was kept behind the cursor; lines below its line."""
    kept, end = editor.kills.newest * count, line_end(editor.text, editor.at)
    if kept.endswith("\n"):
        editor.go(end)
        editor.put("\n" + kept.removesuffix("\n"))
        editor.go(first_letter(editor.text, end + 1))
    else:
        editor.go(min(end, editor.at + 1))
        _put(editor, kept)


def put_before(editor: Editor, count: int) -> None:
    """Put what was kept before the cursor; lines above its line."""
    kept, start = editor.kills.newest * count, line_start(editor.text, editor.at)
    if kept.endswith("\n"):
        editor.go(start)
        editor.put(kept)
        editor.go(first_letter(editor.text, start))
    else:
        _put(editor, kept)


def _put(editor: Editor, kept: str) -> None:
    if kept:
        editor.put(kept)
        editor.go(editor.at - 1)


def put_over(editor: Editor, span: Span) -> None:
    """Put what was kept in place of a part; that is kept then."""
    kept, old = editor.kills.newest, editor.text[span.start : span.end]
    new = kept.removesuffix("\n")
    if kept.endswith("\n") and not span.lines:
        new = f"\n{new}\n"
    elif span.lines and old.endswith("\n"):
        new += "\n"
    editor.rewrite(span.start, span.end, new)
    editor.go(on_letter(editor.text, span.start))
    editor.kills.add(old)


def replace(editor: Editor, span: Span, letter: str) -> None:
    """Put a letter in place of every character, line breaks excepted."""
    old = editor.text[span.start : span.end]
    editor.rewrite(span.start, span.end, "".join(c if c == "\n" else letter for c in old))
    editor.go(span.start)


def join(editor: Editor, breaks: int) -> None:
    """Make one line of several: a line break with the blanks after it becomes a space."""
    for _ in range(breaks):
        text = editor.text
        end = line_end(text, editor.at)
        if end == len(text):
            return
        rest = text[end + 1 :]
        stop = len(text) - len(rest.lstrip(" \t"))
        empty = text[stop : stop + 1] in ("", "\n") or text[end - 1 : end].isspace()
        editor.rewrite(end, stop, "" if empty else " ")
        editor.go(end)


def _swap_case(editor: Editor, count: int) -> None:
    end = min(line_end(editor.text, editor.at), editor.at + count)
    ACTS["g~"](editor, Span(editor.at, end))
    editor.go(end)


def _open_below(editor: Editor) -> None:
    editor.go(line_end(editor.text, editor.at))
    editor.put("\n")


def _open_above(editor: Editor) -> None:
    start = line_start(editor.text, editor.at)
    editor.go(start)
    editor.put("\n")
    editor.go(start)


COMMANDS: Mapping[str, Callable[[Editor, int], None]] = {
    "p": put_after,
    "P": put_before,
    "J": lambda editor, count: join(editor, max(1, count - 1)),
    "~": _swap_case,
}
"""What commands of normal mode do, by a count."""

INSERTING: Mapping[str, Callable[[Editor], None]] = {
    "i": lambda _editor: None,
    "a": lambda editor: editor.go(min(line_end(editor.text, editor.at), editor.at + 1)),
    "I": lambda editor: editor.go(first_letter(editor.text, editor.at)),
    "A": lambda editor: editor.go(line_end(editor.text, editor.at)),
    "o": _open_below,
    "O": _open_above,
}
"""What commands do before insert mode begins."""
