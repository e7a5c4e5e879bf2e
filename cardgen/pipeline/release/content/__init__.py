"""What a release has of each card and of the rules of games."""
