"""The view of what a card does in the referee."""
