"""What the model can do in the working folder."""
