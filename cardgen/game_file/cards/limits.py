"""Codes of the bounds in a game file, and their manual pages."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import Check
from cardgen.rulesets.limits import LimitRule

GENERAL_NUMBER = "100"


class LimitBook:
    """The limits of a game by code.

    Bounds without a code of their own share the general one, so that codes never shift.
    """

    def __init__(self, prefix: str, game: str) -> None:
        self.prefix = prefix
        self._game = game
        self._uses: dict[str, list[str]] = {f"{prefix}{GENERAL_NUMBER}": []}

    def rule(self, code: str, subject: str, bounds: str) -> LimitRule:
        """Return the rule of a bound, such as 'heat of a brave' with 'goes from 1 to 6'."""
        code = code or f"{self.prefix}{GENERAL_NUMBER}"
        self._uses.setdefault(code, []).append(f"{subject} {bounds}")
        return LimitRule(code, self._name(code), f"{subject} {bounds}")

    def _name(self, code: str) -> str:
        is_general = code.endswith(GENERAL_NUMBER)
        return f"{self.prefix.lower()}-limits" if is_general else f"{self.prefix.lower()}-limit-{code[2:]}"

    def checks(self) -> Iterator[Check]:
        """Yield the fixed limits with their manual pages."""
        for code, uses in self._uses.items():
            sentences = "".join(f"    {use[0].upper()}{use[1:]}.\n" for use in dict.fromkeys(uses))
            page = f"A value that {self._game} does not allow.\n\nWhy is this bad?\n{sentences or _NO_BOUNDS}"
            yield Check(code, self._name(code), page)


_NO_BOUNDS = "    The game sets no bounds yet.\n"
