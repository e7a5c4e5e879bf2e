"""Marked-up text becomes fitted lines: fonts, shaping, hyphenation, breaking, fitting, inline icons."""
