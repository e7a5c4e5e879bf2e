"""Checks of a game file, and their examples."""
