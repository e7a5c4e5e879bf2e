"""Checks of Warcry, and manual pages of its fixed limits."""
