"""Battles: activations on a table that players measure, reactions, deployment, and missions."""
