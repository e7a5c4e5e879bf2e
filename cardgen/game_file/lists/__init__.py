"""Lists of cards, from a game file."""
