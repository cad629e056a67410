"""The configuration: its tree, how files are read, and the example."""
