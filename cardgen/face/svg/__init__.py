"""Rendered SVG becomes artwork chunks and cg: elements, in paint order."""
