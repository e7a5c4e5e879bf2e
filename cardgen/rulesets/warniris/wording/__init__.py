"""Printed card text: the card's own, or sentences generated from its effects; and texts that are read."""
