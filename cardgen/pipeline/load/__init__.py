"""The cards of the project at hand."""
