"""The cards of a project, read and looked up, with their art, backs, and games."""
