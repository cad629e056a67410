"""Hooks: commands of a person or a project that run at points of a session."""
