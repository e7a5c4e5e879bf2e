"""Templates drawn in Inkscape, turned into the source of ordinary templates."""
