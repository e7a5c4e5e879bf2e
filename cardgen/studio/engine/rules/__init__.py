"""What the engine computes of a card in the referee."""
