"""Check engine: runs checks, and reports their findings."""
