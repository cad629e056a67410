"""Every text that a model sees, collected from where it is written, for docs/prompts.md."""
