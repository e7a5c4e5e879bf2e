"""A whole battle: the players decide and measure, the procedures say what is legal."""
