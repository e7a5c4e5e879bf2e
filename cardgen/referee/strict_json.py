"""Strict JSON of strangers: no duplicate keys, no NaN, no halves of characters, no deep nesting."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, NoReturn

MAX_DEPTH = 32
_SURROGATE_ESCAPES = ("\\ud", "\\uD")


def parse(text: str) -> Any:
    """Return the data of a JSON text.

    Raises ValueError with the rest of a sentence about the text: 'is not valid JSON: …'.
    """
    try:
        if text.count("[") + text.count("{") > MAX_DEPTH:
            _check_depth(text)
        data = json.loads(text, object_pairs_hook=_without_duplicates, parse_constant=_refuse_constant)
        if any(escape in text for escape in _SURROGATE_ESCAPES):
            _check_characters(data)
    except ValueError as error:
        raise ValueError(f"is not valid JSON: {error}") from None
    return data


def _check_depth(text: str) -> None:
    """Refuse deep nesting before it is parsed, whether or not the text is valid.

    Brackets in strings are skipped.
    """
    depth = 0
    in_string = False
    characters = iter(text)
    for character in characters:
        if character == '"':
            in_string = not in_string
        elif in_string:
            if character == "\\":
                next(characters, None)
        elif character in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise ValueError(f"nested more than {MAX_DEPTH} levels deep")
        elif character in "]}":
            depth -= 1


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        raise ValueError(f"key '{counts.most_common(1)[0][0][:40]}' occurs twice")
    return data


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _check_characters(data: Any) -> None:
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("half of a character (a lone surrogate)") from None
