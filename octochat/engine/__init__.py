"""The loop around the pure heart: asks the model, runs tools, carries out decisions."""
