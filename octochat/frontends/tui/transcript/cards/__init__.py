"""The cards of the transcript, one sort a file."""
