"""Checks of armies, which look at several cards."""
