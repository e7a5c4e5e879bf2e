"""Cards and decks: frozen models with a place for every problem."""
