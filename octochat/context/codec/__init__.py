"""Frozen dataclasses to plain JSON or TOML trees and back, strictly."""
