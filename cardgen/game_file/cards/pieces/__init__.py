"""Pieces of a game: tokens, proxies, blanks, rulers, and accessories."""
