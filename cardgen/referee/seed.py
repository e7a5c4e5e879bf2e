"""Dice from a seed: each one from the seed and the path of its event alone, so that no rule shifts another's dice."""

from __future__ import annotations

import secrets
from hashlib import shake_256

_BLOCK = 64
LONGEST_SEED = 200


def new_seed() -> str:
    """A seed that nobody can foretell: 16 hexadecimal digits."""
    return secrets.token_hex(8)


def seeded_face(seed: str, path: str, sides: int) -> int:
    """The face, from 1 to `sides`, of the die at `path`.

    SHAKE-256 of seed and path gives a stream of numbers; one that would favour some faces is passed over.
    """
    width = max(1, (sides.bit_length() + 14) // 8) if sides > 256 else 1
    fair = 256**width - 256**width % sides
    state = shake_256(f"{len(seed)}:{seed}{path}".encode())
    size = 0
    while True:
        start, size = size, size + width * _BLOCK
        stream = state.digest(size)
        for at in range(start, size, width):
            number = int.from_bytes(stream[at : at + width], "big")
            if number < fair:
                return number % sides + 1
