"""SVG: one reader of files and templates, their styles, and what they draw."""
