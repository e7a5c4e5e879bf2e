"""Battleplans: control, twists, and victory points."""
