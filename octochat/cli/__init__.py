"""The command line: arguments, what must be known before the first paint, and what is listed."""
