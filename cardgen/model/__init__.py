"""Plain data becomes cards: frozen models, decks of them, and every problem with its place."""
