"""Checks of a project's cards, with fixes and reports."""
