"""New projects, games, and cards for `cardgen new`."""
