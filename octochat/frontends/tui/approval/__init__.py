"""Asking for permission over the input."""
