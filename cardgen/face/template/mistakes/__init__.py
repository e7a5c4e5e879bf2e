"""Mistakes in templates: all of them at once, at their lines, in the words of card authors."""
