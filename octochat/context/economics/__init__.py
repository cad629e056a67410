"""What calls cost, and whether a change of the context pays."""
