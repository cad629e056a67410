"""The exit codes of every way to run octochat."""

OK = 0
"""All went well; in the chat, the person left."""
FAILED = 1
"""A model, the network or the disk failed."""
MISUSED = 2
"""Wrong arguments, a wrong configuration, or no such session."""
INTERRUPTED = 130
"""Ctrl-C, as shells have it."""
BY_SIGNAL = 128
"""What shells add to the number of the signal that ended a program."""
