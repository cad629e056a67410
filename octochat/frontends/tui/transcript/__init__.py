"""What was said and done, as cards that scroll, open and can be searched."""
