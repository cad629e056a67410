"""A terminal chat agent for long work whose context looks after itself."""

__version__ = "0.1.0"
