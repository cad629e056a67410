"""Looks whether octochat can work here, and says what to do where it can't."""
