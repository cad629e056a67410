"""What a session is: events, units, the view, the state."""
