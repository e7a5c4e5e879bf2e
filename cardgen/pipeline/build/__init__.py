"""Cards to print sheets and pictures."""
