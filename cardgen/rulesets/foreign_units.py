"""Check for lengths in a unit that the game does not use."""

from __future__ import annotations

import re
from collections.abc import Callable

from cardgen.checking.check import Finding, Findings, Fix
from cardgen.checking.context import CheckContext, FreeText

CM_PER_INCH = 2.54


def foreign_units(
    pattern: re.Pattern[str], message: str, convert: Callable[[re.Match[str]], tuple[str, str]]
) -> Callable[[FreeText, CheckContext], Findings]:
    """Return the `find` function of a check for foreign units.

    The check reads only rules texts. `pattern` matches lengths in the foreign unit. `convert` returns a matched length
    in words, and the same length in the unit of the game, which is the fix.
    """

    def find(free_text: FreeText, context: CheckContext) -> Findings:
        for match in pattern.finditer(free_text.text) if free_text.is_rules_text else ():
            length, converted = convert(match)
            advice = f"{length} are about {converted}"
            yield Finding(message, help=advice, text_range=match.span(), fix=Fix(converted))

    return find
