"""The checks that every game has: one file each."""
