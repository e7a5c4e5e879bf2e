"""Example cards of a game file, for its kinds and checks."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from textwrap import indent
from typing import Any

import yaml

from cardgen.checking.check import (
    EXAMPLE,
    INSTEAD,
    WHY,
    Check,
    CheckContext,
    Confidence,
    Finding,
    Findings,
    Fix,
    FreeText,
)
from cardgen.diagnostic import Severity
from cardgen.game_file.expressions import GameContext
from cardgen.game_file.spec.kinds import CheckSpec, FieldSpec
from cardgen.units import UNITS, parse_length, to_unit

EXAMPLE_NAME = "Example"
MEMBERS = "members"
MOST_LETTERS = 1000


def example_data(kind: str, overlay: Mapping[str, Any], context: GameContext) -> dict[str, Any]:
    """Return a kind's example, updated with the keys of a check.

    In a list, each member is laid over the example of its kind.
    """
    spec = context.spec.kinds.get(kind) or context.spec.lists.get(kind)
    name = {} if kind in context.types else {"name": EXAMPLE_NAME}
    data = {**name, **(spec.example if spec else {}), **overlay}
    member_kind = member_kind_of(kind, context)
    if member_kind and isinstance(overlay.get(MEMBERS), list | tuple):
        data[MEMBERS] = [
            example_data(member_kind, each, context) if isinstance(each, dict) else each for each in overlay[MEMBERS]
        ]
    return data


def member_kind_of(kind: str, context: GameContext) -> str:
    """Return the kind of the members of a list.

    Return '' for other kinds.
    """
    model = context.kinds[kind].model if kind in context.kinds else None
    return str(getattr(model, "MEMBER_KIND", ""))


class Samples:
    """Values for the fields of cards that have no example.

    A card is named by the example of its kind; `picture` stands for a picture.
    """

    def __init__(self, context: GameContext, picture: str) -> None:
        self._context, self._picture = context, picture
        self._makers: Mapping[str, Callable[[FieldSpec], Any]] = {
            "integer": lambda spec: math.ceil(_low(spec)),
            "number": _low,
            "length": _low,
            "text": lambda spec: "Example".ljust(min(math.ceil(_low(spec)), MOST_LETTERS), "e")[: _most_letters(spec)],
            "flag": lambda spec: False,
            "choice": lambda spec: next(iter(spec.choices or ()), None),
            "term": lambda spec: next((term.forms[0] for term in context.terms), None),
            "dice": lambda spec: "1d6",
            "colour": lambda spec: "#888888",
            "picture": lambda spec: picture,
            "card": lambda spec: example_name(spec.kind or ""),
            "list": self._list,
            "map": self._map,
        }

    def of_fields(self, fields: Mapping[str, FieldSpec]) -> dict[str, Any]:
        """Return values for the fields that cannot be left out."""
        return {name: self._of(spec) for name, spec in fields.items() if spec.default is None and not spec.optional}

    def _of(self, spec: FieldSpec) -> Any:
        make = self._makers.get(spec.type)
        return make(spec) if make else self._part(spec.type)

    def _part(self, name: str) -> dict[str, Any]:
        spec = self._context.spec.types[name]
        has_name = spec.line is not None and "name" not in spec.fields
        return {**({"name": EXAMPLE_NAME} if has_name else {}), **self.of_fields(spec.fields)}

    def _list(self, spec: FieldSpec) -> list[Any]:
        assert spec.items is not None
        return [self._of(spec.items) for _ in range(_fewest(spec))]

    def _map(self, spec: FieldSpec) -> dict[str, Any]:
        assert spec.items is not None
        count = _fewest(spec)
        keys = spec.keys if spec.keys is not None else [f"{EXAMPLE_NAME} {number + 1}" for number in range(count)]
        return {key: self._of(spec.items) for key in keys[: count or None]}


def example_name(kind: str) -> str:
    """Return the name of the example card of a kind."""
    return f"{EXAMPLE_NAME} {kind}"


def _low(spec: FieldSpec) -> float:
    return spec.min if spec.min is not None else min(1, 1 if spec.max is None else spec.max)


def _fewest(spec: FieldSpec) -> int:
    """Return how many items a list or map must have."""
    return min(max(0, math.ceil(spec.min or 0)), MOST_LETTERS)


def _most_letters(spec: FieldSpec) -> int:
    return MOST_LETTERS if spec.max is None else max(1, math.floor(spec.max))


def manual_page(name: str, spec: CheckSpec, context: GameContext) -> str:
    """Return the manual page of a check.

    Its examples are card files.
    """
    title = spec.about or f"{name.replace('-', ' ').capitalize()}."
    parts = [title, f"{WHY}\n{indent(spec.why or title, '    ')}"]
    for heading, overlay in ((EXAMPLE, spec.wrong), (INSTEAD, spec.right)):
        if overlay is not None:
            at = (spec.at or "") if heading == EXAMPLE else ""
            text = card_text(spec.kind[0], example_data(spec.kind[0], overlay, context), at, spec.code, context)
            parts.append(f"{heading}\n{indent(text, '    ')}")
    return "\n\n".join(parts) + "\n"


def card_text(kind: str, data: Mapping[str, Any], at: str, code: str, context: GameContext) -> str:
    """Return a card file, with a comment at the line of the finding."""
    game = f"game: {context.spec.game}"
    member_kind = member_kind_of(kind, context)
    if not member_kind:
        return "\n".join((game, *_key_lines({"kind": kind, **data}, at, code)))
    members = _named_members(data.get(MEMBERS, ()))
    cards = {name: {"kind": member_kind, **member, "name": name} for name, member, _ in members}
    card = {"kind": kind, **data, MEMBERS: [{name: qty} if qty > 1 else name for name, _, qty in members]}
    lines = "\n".join(_key_lines(card, at, code, 4))
    return "\n".join((game, "cards:", *(f"  - {_flow(each)}" for each in cards.values()), f"  - {lines.lstrip()}"))


def _named_members(members: Iterator[Any]) -> list[tuple[str, Mapping[str, Any], int]]:
    """Return each of the members once, with a name of its own and its copies."""
    distinct: list[tuple[Mapping[str, Any], int]] = []
    for member in members:
        index = next((number for number, (each, _) in enumerate(distinct) if each == member), len(distinct))
        distinct[index : index + 1] = [(member, 1 + (distinct[index][1] if index < len(distinct) else 0))]
    return [
        (member["name"] if member["name"] != EXAMPLE_NAME else f"Member {number}", member, qty)
        for number, (member, qty) in enumerate(distinct, start=1)
    ]


def _key_lines(data: Mapping[str, Any], at: str, code: str, pad: int = 0) -> Iterator[str]:
    """Yield a line for each key, with a comment behind the one that a finding points to."""
    key, *steps = at.split("/")
    for name, value in data.items():
        line = f"{' ' * pad}{name}: {_flow(value)}"
        is_found = name == key and not any(step != "0" for step in steps)
        yield f"{line}  # {code}: {pad + len(name) + 3 + len(steps)}" if is_found else line


def _flow(value: Any) -> str:
    """Return a value as YAML in one line."""
    return yaml.safe_dump([value], default_flow_style=True, sort_keys=False, allow_unicode=True, width=10**6)[1:-2]


NUMBER = "200"
_NUMBER = r"(\d+(?:\.\d+)?)\s*-?"
# Spellings of the units that people measure with on a table; `in` is also a word.
_SPELLINGS = {
    "mm": r"mm\b|millimet(?:er|re)s?\b",
    "cm": r"cm\b|centimet(?:er|re)s?\b",
    "in": r"[\"”″]|''|in(?:ch(?:es)?)\b|in\.",
}
_SAME = {"inch": "in", '"': "in"}


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
            fix = Fix(_converted(match, unit)) if unit in UNITS else None
            advice = f"{match[0]} are about {fix.text}" if fix else f"write it in {unit}"
            yield Finding(f"lengths are in {unit}", help=advice, text_range=match.span(), fix=fix)

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
        card = card_text(kind, example_data(kind, {}, context), "", code, context)
        page += f"\n{heading}\n{indent(card, '    ')}\n    {line}\n"
    return page


def _converted(match: re.Match[str], unit: str) -> str:
    """Return a length of another unit in the unit of the game."""
    other = next(name for name in _SPELLINGS if match.groupdict().get(name))
    number = next(group for group in match.groups() if group and group[0].isdigit())
    return f"{to_unit(parse_length(float(number), unit=other), unit):.3g} {unit}"
