"""Checks that an expression cannot make."""
