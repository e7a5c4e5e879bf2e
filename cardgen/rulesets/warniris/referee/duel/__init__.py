"""Duels of two miniatures: exact odds of one pair, and of all pairs of a crowd."""
