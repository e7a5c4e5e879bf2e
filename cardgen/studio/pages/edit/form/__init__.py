"""The form of the card that is being written."""
