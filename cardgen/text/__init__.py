"""Typeset marked-up text.

Fonts, shaping, hyphenation, line breaks, copyfitting, and inline icons.
"""
