"""Expressions of a game file, compiled against the fields of its cards."""
