"""From a decision to a change: what is folded, measured and committed, and what must give way."""
