"""Servers that speak the Model Context Protocol: their tools, prompts and resources."""
