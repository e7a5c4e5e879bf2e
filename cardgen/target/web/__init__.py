"""The web page of a collection: its cards, and what they add up to."""
