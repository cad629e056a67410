"""Slash commands: what a person may say that is not for the model."""
