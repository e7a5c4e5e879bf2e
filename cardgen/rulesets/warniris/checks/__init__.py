"""The checks of Warniris: one file each."""
