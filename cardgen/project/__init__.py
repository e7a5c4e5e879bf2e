"""A card project: its settings, its files, and its folders."""
