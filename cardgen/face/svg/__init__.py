"""Rendered SVG as artwork chunks and cg: elements, in paint order."""
