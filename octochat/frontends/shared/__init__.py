"""What the front ends have in common: history, drafts, attachments."""
