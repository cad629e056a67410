r"""What a terminal says about itself when it was asked: colours, abilities, sizes, never a key.

An answer can come late, over a slow line by seconds, and in pieces; whoever asked may have given
up by then. It knows nothing of who asks. Reports that Textual itself waits for (a mode, the
cursor's place, a size in the stream) are left to it.
"""

import re

SECONDS = 1.0
"""How long the rest of a report is waited for."""

REPORT = re.compile(
    r"\x1b(?:"
    r"\]\d+;[^\x00-\x1f]*(?:\x07|\x1b\\)"  # OSC: a colour, a title, the clipboard
    r"|P[\d>!][^\x1b]*\x1b\\"  # DCS: a version, a setting
    r"|_G[^\x1b]*\x1b\\"  # APC: about pictures
    r"|\[[?>=][\d;:]*[cnu]"  # CSI: what it can do, how it is, what it says of keys
    r"|\[\d*n"
    r"|\[(?!48;)\d+(?:;\d+)+t"
    r")"
)
"""A whole report."""
BEGUN = re.compile(r"\x1b(?:\]\d+;[^\x00-\x1f]*|P[\d>!][^\x1b]*|_G[^\x1b]*|\[[?>=][\d;:$]*)\x1b?\Z")
"""The first part of one, at the end of a piece. No key begins so."""
