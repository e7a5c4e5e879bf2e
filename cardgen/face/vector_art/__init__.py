"""SVG files as art: read, styled, and reduced to the few elements that every exporter draws."""
