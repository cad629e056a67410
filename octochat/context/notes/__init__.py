"""What takes the place of a folded part: requests, sections, knowledge, an index of the work."""
