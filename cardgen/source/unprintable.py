"""Characters that no card may hold."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

REPLACEMENT = "\ufffd"


@cache
def _unprintable_pattern() -> re.Pattern[str]:
    """All that YAML 1.2 calls unprintable, and the three line breaks that YAML 1.1 sees and YAML 1.2 does not.

    Compiled late, for that takes longer than reading a card, and few files ask for it.
    """
    return re.compile(r"[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


def find_unprintable(text: str) -> re.Match[str] | None:
    """The first such character of a text."""
    if text.replace("\n", "").replace("\t", "").isprintable():  # Python is stricter, and very quick.
        return None
    return _unprintable_pattern().search(text)


def replace_unprintable(text: str) -> tuple[str, int]:
    """The text with something that can be shown in place of each such character, and how many there were."""
    return _unprintable_pattern().subn(REPLACEMENT, text)


def describe_character(char: str) -> str:
    """A character that cannot be shown, by number and, where it has one, by name."""
    name = unicodedata.name(char, "") or {"\0": "NUL", "\x85": "NEXT LINE", "\ufeff": "BYTE ORDER MARK"}.get(char, "")
    return f"U+{ord(char):04X} {name}".rstrip()
