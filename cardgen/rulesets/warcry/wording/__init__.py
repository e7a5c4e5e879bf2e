"""Printed text of changes, and texts that are read."""
