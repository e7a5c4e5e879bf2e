"""Releases of a project: what they store, what changed between two, and errata and stickers."""
