"""New projects, games, and cards."""
