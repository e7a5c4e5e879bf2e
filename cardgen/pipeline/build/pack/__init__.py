"""Packs: the lists of cards that a build prints, and their reference sheets."""
