"""Activations in a battle: actions, abilities, reactions, and damage points."""
