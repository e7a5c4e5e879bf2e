"""JSON text that is safe to show."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

# Control characters that the encoder leaves as they are, and halves of characters, which cannot be written.
_CONTROL = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def dump_json(data: object, *, indent: int | None = 2, default: Callable[[Any], Any] | None = None) -> str:
    r"""Return data as JSON with a final line break.

    Characters that could reorder what a terminal shows are escaped, such as '\u202e'. `default` returns a plain value
    for one that JSON lacks.
    """
    text = json.dumps(data, indent=indent, ensure_ascii=False, default=default)
    return _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"
