"""Where prompts are written: editing, completing, recalling, queueing."""
