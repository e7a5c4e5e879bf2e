"""Files for translators: what is translated, written for them, and read back."""
