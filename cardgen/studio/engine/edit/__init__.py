"""What the engine does for files that are being written."""
