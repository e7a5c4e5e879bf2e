"""A card and its SVG template become a Face: artwork chunks, pictures and text, in paint order."""
