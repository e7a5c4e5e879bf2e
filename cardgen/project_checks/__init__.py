"""Checks of a whole project: cards, games in files, templates, and what is printed."""
