"""Reference sheets of a game and a project."""
