"""The view in which cards are printed and exported."""
