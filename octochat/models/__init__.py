"""Language models: the port, what is known of each, and the ways to reach them."""
