"""Walls around the shell: what commands can't see, change or reach. It knows no tools."""
