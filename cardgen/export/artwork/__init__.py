"""SVG artwork for PDFs: translated to operators, or rendered by CairoSVG if it cannot be translated."""
