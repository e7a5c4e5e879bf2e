"""Random numbers for tests that `make fuzz` runs with more cases."""

from __future__ import annotations

import os
import random
import secrets
from collections.abc import Sequence
from datetime import date
from typing import TypeVar

MORE = "FUZZ_CASES"
T = TypeVar("T")


def number_of_cases(usual: int, share: float) -> int:
    """Return how many cases a test takes: as usual, or at least a share of those that `make fuzz` asks for."""
    return max(usual, int(int(os.environ.get(MORE, "0")) * share))


def dice_for(name: str) -> random.Random:
    """Return the same random numbers in every run, but new ones for `make fuzz`; a test that fails prints the seed."""
    seed = f"{name} {secrets.randbits(32)}" if MORE in os.environ else name
    print(f"seed: {seed!r}")
    return random.Random(seed)


def of_today(cases: Sequence[T], parts: int, shift: int = 0) -> Sequence[T]:
    """Return one of so many parts of the cases, another one each day; with `make fuzz`, all of them."""
    return cases if MORE in os.environ else cases[(date.today().toordinal() + shift) % parts :: parts]
