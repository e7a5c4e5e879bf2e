"""Validate plain data against models, with a located diagnostic for every error."""
