"""Cards and decks: frozen models that know their place in the source."""
