"""Caches of earlier runs in the user's cache folder.

These modules load quickly.
"""
