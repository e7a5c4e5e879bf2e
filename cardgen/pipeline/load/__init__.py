"""Cards of the current project."""
