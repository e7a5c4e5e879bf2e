"""Reference sheets: from YAML to a document tree of pure data."""
