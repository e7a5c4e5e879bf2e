"""Balance of a project's cards: scores, strengths, adjustments, and their reports."""
