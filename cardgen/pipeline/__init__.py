"""The only place that chains the stages: from files to cards, and from cards to files."""
