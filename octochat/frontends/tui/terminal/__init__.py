"""Everything that knows the bytes of a terminal or the private names of Textual."""
