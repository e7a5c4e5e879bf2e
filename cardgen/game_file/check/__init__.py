"""Checks of a game file, and the examples that they are tried out on."""
