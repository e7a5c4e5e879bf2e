"""SVG files as art: parsed, styled, and reduced to few elements."""
