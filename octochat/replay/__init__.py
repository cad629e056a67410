"""The replay lab: recorded conversations played through strategies, without a live model."""
