"""Text for people: numbers in words, and foreign text made harmless."""
