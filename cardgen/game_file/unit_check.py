"""The check of a game that names its unit: lengths in other units."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from textwrap import indent

from cardgen.checking.check import EXAMPLE, INSTEAD, WHY, Check, CheckContext, Confidence, Finding, Findings, FreeText
from cardgen.diagnostic import Fix, Severity
from cardgen.game_file.checks import example_data
from cardgen.game_file.expressions import GameContext
from cardgen.game_file.manual_pages import card_text
from cardgen.units import UNITS, parse_length, to_unit

NUMBER = "200"
_NUMBER = r"(?<!\d)(\d+(?:\.\d+)?)\s*-?"
# Spellings of the units that people measure with on a table; `in` is also a word.
_SPELLINGS = {
    "mm": r"mm\b|millimet(?:er|re)s?\b",
    "cm": r"cm\b|centimet(?:er|re)s?\b",
    "in": r"[\"”″]|''|in(?:ch(?:es)?)\b|in\.",
}
_SAME = {"inch": "in", '"': "in"}
_UNIT_WORDS = {"mm": "millimeters", "cm": "centimeters", "in": "inches"}


def unit_check(context: GameContext) -> Iterator[Check]:
    """Yield the check of a game that names its unit."""
    unit = context.spec.unit
    if "unit" not in context.spec.model_fields_set:
        return
    known = next((name for name, words in _SPELLINGS.items() if re.fullmatch(words, unit, re.IGNORECASE)), unit)
    if known != _SAME.get(unit, unit):
        advice = f"write {', '.join(_SPELLINGS)}, or a unit of your own, such as hexes"
        context.report(("unit",), f"unknown unit '{unit}'; did you mean '{known}'?", advice)
        return
    others = {name: words for name, words in _SPELLINGS.items() if name != _SAME.get(unit, unit)}
    pattern = re.compile("|".join(f"{_NUMBER}(?P<{name}>{words})" for name, words in others.items()), re.IGNORECASE)

    def find(free_text: FreeText, _: CheckContext) -> Findings:
        for match in pattern.finditer(free_text.text) if free_text.is_rules_text else ():
            fix = _fix(match, unit) if unit in UNITS else None
            advice = f"{match[0]} are about {fix.text}" if fix else f"write it in {unit}"
            words = _UNIT_WORDS.get(_SAME.get(unit, unit), unit)
            yield Finding(f"lengths are in {words}", help=advice, text_range=match.span(), fix=fix)

    code, name = f"{context.spec.prefix}{NUMBER}", f"{context.spec.prefix.lower()}-foreign-unit"
    manual = partial(_manual_page, code, next(iter(others)), context)
    yield Check(code, name, manual, Severity.WARNING, Confidence.CERTAIN, (FreeText,), find)


def _manual_page(code: str, other: str, context: GameContext) -> str:
    """Return the manual page, with an example if a kind has one."""
    spec, kinds = context.spec, context.spec.kinds.items()
    page = (
        f"A length in a unit other than {spec.unit}.\n\n{WHY}\n"
        f"    Lengths of {spec.name} are in {spec.unit}. A player who reads another unit needs a second tape\n"
        "    measure, or mistakes one unit for the other.\n"
    )
    kind = next((name for name, each in kinds if each.example), None)
    if kind is None:
        return page
    wrong, right = f"text: It moves 5 {other}.", f"text: It moves 5 {spec.unit}."
    for heading, line in ((EXAMPLE, f"{wrong}  # {code}: {wrong.index('5') + 1}"), (INSTEAD, right)):
        card = card_text(kind, example_data(kind, {}, context), (), code, context)
        page += f"\n{heading}\n{indent(card, '    ')}\n    {line}\n"
    return page


def _fix(match: re.Match[str], unit: str) -> Fix | None:
    """Return a length of another unit in the unit of the game; None for one that is too long for any table."""
    other = next(name for name in _SPELLINGS if match.groupdict().get(name))
    number = next(group for group in match.groups() if group and group[0].isdigit())
    try:
        return Fix(f"{to_unit(parse_length(f'{number}{other}'), unit):.3g} {unit}")
    except ValueError:
        return None
