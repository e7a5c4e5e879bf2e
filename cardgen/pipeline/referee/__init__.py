"""Rolls, odds, matches, and balance of a project's cards."""
