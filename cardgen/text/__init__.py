"""Set marked-up text: fonts, shaping, hyphenation, line breaks, copyfitting, inline icons."""
