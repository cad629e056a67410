"""The chat as lines of text, for screen readers and terminals that can do no more."""
