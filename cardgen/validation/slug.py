"""Ids derived from names."""

import hashlib
import re
import unicodedata

MAX_NAME_LENGTH = 80


def slugify(name: str) -> str:
    """Derive an id from a name: 'Warp Channeler' gives 'warp-channeler'.

    A name without letters from a to z and digits gives 'card-' and a hash, the same on every machine.
    """
    normal = unicodedata.normalize("NFC", name)
    return plain_words(name) or f"card-{hashlib.sha256(normal.encode('utf-8', 'replace')).hexdigest()[:8]}"


def plain_words(name: str) -> str:
    """Return the letters from a to z and digits of a name, with hyphens for everything between them; may be ''."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower())[:MAX_NAME_LENGTH].strip("-")
