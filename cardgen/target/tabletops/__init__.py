"""Targets that are digital tables: programs that play with the cards on screen."""
