"""The view in which battles are set up and joined."""
