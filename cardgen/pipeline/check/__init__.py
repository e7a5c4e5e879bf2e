"""Checks over a project's cards, with fixes and reports."""
