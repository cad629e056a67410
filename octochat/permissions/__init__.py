"""Which calls may run: rules, questions, and the answers that are remembered."""
