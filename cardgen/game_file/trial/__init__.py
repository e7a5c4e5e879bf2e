"""Trials of a game file: dice, steps, and the program that runs them."""
