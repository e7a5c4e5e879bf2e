"""Releases of a project, and the cards that changed between them."""
