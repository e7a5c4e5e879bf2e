"""Characters that no card may hold."""

from __future__ import annotations

import re
import unicodedata

# All that YAML 1.2 calls unprintable, and the three line breaks that YAML 1.1 sees and YAML 1.2 does not.
UNPRINTABLE = re.compile(r"[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
REPLACEMENT = "\ufffd"


def character(char: str) -> str:
    """A character that cannot be shown, by number and, where it has one, by name."""
    name = unicodedata.name(char, "") or {"\0": "NUL", "\x85": "NEXT LINE", "\ufeff": "BYTE ORDER MARK"}.get(char, "")
    return f"U+{ord(char):04X} {name}".rstrip()
