"""Checks of games that are files: examples, icons, templates, fields, and themes."""
