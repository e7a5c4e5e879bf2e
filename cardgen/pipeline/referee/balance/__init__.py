"""Round robins of a project's cards, and what they tell about balance."""
