"""Strengths of attacks. Checks read them, too, so nothing is loaded here that computes odds."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.game import Procedure, Roll


class Strength(NamedTuple):
    """A strength: a number, which can be added to a d6."""

    number: int
    is_rolled: bool = False

    @classmethod
    def read(cls, text: str | int) -> Strength:
        """Return the strength that a card prints: a number or d6. Raises ValueError for other dice."""
        if str(text).strip().lower() in ("d6", "1d6"):
            return cls(0, True)
        if not str(text).strip().isdecimal():
            raise ValueError(f"a strength must be a number or d6, not '{str(text)[:20]}'")
        return cls(int(text))

    @property
    def least(self) -> int:
        """The damage that it deals at least."""
        return self.number + self.is_rolled

    @property
    def doubled_mean(self) -> int:
        """Twice its mean: a whole number."""
        return 2 * self.number + 7 * self.is_rolled

    def amount(self, who: str, what: str) -> Procedure[int]:
        """Return the damage, which is 0 or higher, and roll the d6 if there is one."""
        return max(0, self.number + ((yield Roll("strength", who, what)) if self.is_rolled else 0))
