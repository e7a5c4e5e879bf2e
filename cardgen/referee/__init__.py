"""Exact dice; procedures, written once, that are rolled, worked out or asked; transcripts that can be verified."""
