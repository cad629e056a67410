"""Numbers as a person reads them: the ones of every front end."""

from octochat.figures import clock, count, dollars, gap, seconds, size, tokens

__all__ = ["clock", "count", "dollars", "gap", "seconds", "size", "tokens"]
