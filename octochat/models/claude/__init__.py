"""Claude over the Messages API."""
