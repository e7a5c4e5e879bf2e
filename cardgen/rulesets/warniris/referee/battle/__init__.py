"""Battles: activations on a table that players measure, deployment, and missions."""
