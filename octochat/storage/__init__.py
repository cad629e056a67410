"""Session files: written, read, listed, searched, copied, exported."""
