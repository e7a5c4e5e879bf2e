"""The checks of Warniris, one per file."""
