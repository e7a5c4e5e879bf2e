"""The referee at work on a project's cards: rolls, odds, matches and balance."""
