"""Effects of cards: when they start, whom they concern, and what they do."""
