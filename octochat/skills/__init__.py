"""Agent Skills: where they are found, and what one file says."""
