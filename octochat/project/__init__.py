"""What the project tells a session: its root, its texts. Knows the disk, not the session."""
