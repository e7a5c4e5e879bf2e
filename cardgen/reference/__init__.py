"""Reference sheets: written in YAML, they become a document tree of pure data."""
