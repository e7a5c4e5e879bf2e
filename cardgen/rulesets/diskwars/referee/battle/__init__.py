"""A whole battle of two to four players: they decide and measure, the procedures say what is legal."""
