"""Checks what was written into a seat's folder: `python -m tests.seat.check FOLDER`."""
