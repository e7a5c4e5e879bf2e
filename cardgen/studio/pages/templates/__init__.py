"""The view in which templates, games, and settings are written."""
