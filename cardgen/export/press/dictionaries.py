"""Keys of PDF dictionaries."""

from __future__ import annotations

from typing import Any

from pikepdf import Dictionary


def remove_key(holder: Any, key: str) -> None:
    """Remove a key of a dictionary or stream, if it is there."""
    if key in holder:
        del holder[key]


def copied(holder: Any, key: str) -> Dictionary:
    """Return a copy of the dictionary under a key, empty if there is none; others may share the original."""
    return Dictionary(dict(holder[key].items()) if key in holder else {})
