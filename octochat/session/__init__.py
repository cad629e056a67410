"""A session with everything that works on it: how it is put together, how it begins."""
