"""The view that starts projects and games."""
