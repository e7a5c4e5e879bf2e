"""Keys of PDF dictionaries."""

from __future__ import annotations

from typing import Any


def remove_key(holder: Any, key: str) -> None:
    """Remove a key of a dictionary or stream, if it is there."""
    if key in holder:
        del holder[key]
