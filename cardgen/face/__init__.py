"""A card and its SVG template become a Face: artwork chunks, pictures and text runs, in paint order."""
