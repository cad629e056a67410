"""The terminal interface: widgets that show entries and send what a person types."""
