"""The commands that only make sense on a screen, and the keys, as data. It carries out nothing."""

from collections.abc import Mapping

from octochat.commands.spec import CommandSpec

SCREEN_COMMANDS: tuple[CommandSpec, ...] = (
    CommandSpec("help", "", "these commands", at_once=True),
    CommandSpec("context", "", "what is in the context, by part and by unit", at_once=True),
    CommandSpec("resume", "[ID]", "go on with an earlier session", aliases=("sessions",)),
    CommandSpec("find", "[TEXT]", "find a text in the whole transcript", at_once=True),
    CommandSpec("copy", "[N]", "copy the last answer, or the Nth last", at_once=True),
    CommandSpec("diff", "", "all that the session changed, by file", at_once=True),
    CommandSpec("theme", "[NAME]", "other colours, seen before they are taken", at_once=True),
    CommandSpec("edit-note", "[NUMBER]", "rewrite a note in your editor", at_once=True),
    CommandSpec("edit-plan", "", "change the plan before it is carried out", at_once=True),
    CommandSpec("whatif", "", "what every other strategy would have cost here", at_once=True),
    CommandSpec("quit", "", "leave; the session can be resumed", at_once=True, aliases=("exit",)),
)
"""What the terminal interface does by itself."""

KEYS = (
    ("Shift+Tab", "another mode: plan, ask, accept edits"),
    ("F2", "more or less effort, where the model takes it"),
    ("PgUp PgDn", "turn the pages of the transcript"),
    ("Ctrl+Home Ctrl+End", "the first card; the end, and stay there"),
    ("Ctrl+F", "find in the transcript, what is folded included; Tab stays there, Esc goes back"),
    ("Ctrl+↑", "walk through the cards; Esc goes back to the input"),
    ("↑ ↓", "there: the card above, the card below"),
    ("Enter", "there: open or close the card; M shows all of it"),
    ("E", "there: rewrite the note of a compression in your editor"),
    ("Y, C", "there: copy the card; copy the code in it, piece by piece"),
    ("Ctrl+C", "copy what is selected, else stop, else clear the input, else (twice) leave"),
    ("Ctrl+Z", "back to the shell for a while; fg goes on"),
    ("F1", "this help, from anywhere"),
    ("Ctrl+P", "all that the terminal interface can do"),
)
"""Keys of the transcript and of the whole app."""
EMACS: Mapping[str, str] = {"Ctrl+P": "Alt+X", "Ctrl+F": "Ctrl+S"}
"""Those that differ where the input has emacs' keys."""
