"""Reference sheets of a game and of a project."""
