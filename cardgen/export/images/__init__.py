"""Picture files for PDF and SVG: checked, read, and converted."""
