"""The ways to talk with a session: a terminal interface, lines of text, a single answer."""
