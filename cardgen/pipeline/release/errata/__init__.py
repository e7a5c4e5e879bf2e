"""Errata of a release: reference sheets of changes, and stickers for old cards."""
