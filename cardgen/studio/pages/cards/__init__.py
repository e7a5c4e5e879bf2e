"""The view of all cards."""
