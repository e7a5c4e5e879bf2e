"""Scalars and keys of plain YAML, as the fast reader finds them."""

from __future__ import annotations

import re

from cardgen.source.positions import Scalar
from cardgen.source.scalars import MAX_CACHED_LENGTH, resolve_plain

# Texts in quotes, without most escapes.
QUOTED = r"""(?:'[^']*+(?:''[^']*+)*+'|"[^"\\]*+(?:\\["\\][^"\\]*+)*+")"""
# Longer keys are no keys for some parsers.
MAX_KEY = 200
# Values of short scalars as they are written, and keys by their tokens; cards repeat many of them.
SCALAR_CACHE: dict[str, Scalar] = {}
KEY_CACHE: dict[str, str] = {}
_MAX_CACHED_SCALARS = 8192


class NeedsComposer(Exception):  # noqa: N818 - not an error: the fast path does not cover this text
    """Signal that a text may have problems, or is not plain YAML."""


def read_scalar(text: str) -> Scalar:
    """Return the value of a scalar as it is written."""
    if text in SCALAR_CACHE:
        return SCALAR_CACHE[text]
    value: Scalar
    if text[0] in "'\"":
        inner = re.sub(r" *\n *", " ", text[1:-1])
        value = inner.replace("''", "'") if text[0] == "'" else re.sub(r'\\(["\\])', r"\1", inner)
    else:
        scalar = resolve_plain(text)
        if not scalar.is_valid:
            raise NeedsComposer
        value = scalar.value
    if len(text) <= MAX_CACHED_LENGTH and len(SCALAR_CACHE) < _MAX_CACHED_SCALARS:
        SCALAR_CACHE[text] = value
    return value


def read_key(token: str) -> str:
    """Return the key of a token, which must be on one line."""
    key = read_scalar(token[:-1].rstrip(" ")) if token[-1] == ":" and 1 < len(token) < MAX_KEY else None
    if type(key) is not str or "\n" in token:
        raise NeedsComposer
    if len(token) <= MAX_CACHED_LENGTH and len(KEY_CACHE) < _MAX_CACHED_SCALARS:
        KEY_CACHE[token] = key
    return key
