"""The text of a file that is being written."""
