"""A reference card that differs from the rules.

Why is this bad?
    The players look at the card, and the referee knows the rules. cardgen reads rows with the injuries of a D6; rows
    such as 'BS 3', 'WS 4 against WS 3', or 'S 3 against T 4' with the required number; 'Strength 5' with its armor save
    modifier; and modifiers such as 'Hard cover'. A table of required numbers may have a modifier that is the same in
    all rows. In texts, cardgen reads some distances and dice of the rules.

Example
    game: skirmish
    kind: aid
    name: Shooting
    rows:
      - {roll: BS 2, result: 5 or more}
      - {roll: BS 3, result: 3 or more}  # WS375: 26
      - {roll: BS 4, result: 3 or more}

Example
    game: skirmish
    kind: aid
    name: Injuries
    text: Roll a D6.
    rows:
      - {roll: 1-3, result: Knocked down.}  # WS375: 12
      - {roll: 4-5, result: Stunned.}  # WS375: 12
      - {roll: "6", result: Out of action.}  # WS375: 12

Use instead
    game: skirmish
    kind: aid
    name: Injuries
    text: Roll a D6.
    rows:
      - {roll: 1-2, result: Knocked down.}
      - {roll: 3-4, result: Stunned.}
      - {roll: 5-6, result: Out of action.}
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from cardgen.game import CheckContext, Confidence, Features, Finding, Findings, KeyPath, Meaning, Severity, signed
from cardgen.rulesets.skirmish import RULESET
from cardgen.rulesets.skirmish.referee import warrior
from cardgen.rulesets.skirmish.wording import AIDS

CODE, NAME = "WS375", "wrong-aid"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = RULESET.kinds["aid"].model

_ABOUT_INJURIES = re.compile(r"(?i)injur|wound")
# What rows with two numbers, or one, need; below the least and above the most, a modifier changes nothing.
_NEEDS: Mapping[str, Callable[[int, int], int]] = {
    "shot": lambda skill, _: 7 - skill,
    "strike": warrior.need_to_strike,
    "wound": warrior.need_to_wound,
    "save": lambda strength, _: max(0, strength - 3),
    "modifier": lambda modifier, _: modifier,
}
_LIMITS = {"shot": (2, 10), "strike": (2, 6), "wound": (2, 6), "save": (0, 7), "modifier": (-3, 3)}
_MODIFIERS = (0, 1, -1, 2, -2, 3, -3)
# What texts tell of the rules: distances in inches, and dice.
_FACTS = {
    "fall": ("1d3",), "alone": (6,), "leader": (6,), "run": (8,), "jump": (6,), "gap": (3,), "crawl": (2,),
    "intercept": (2,), "flight": ("2d6", "3d6"), "test": ("2d6",), "rout_share": ("quarter",),
    "rout_over": ("a quarter or more",),
    "finds": ("its Initiative in inches",), "stunned_does": ("nothing",), "down_does": ("crawl", "move"),
    "after_run": ("cast",), "rallied_does": ("cast", "fight"), "jump_test": (2,), "climb_test": ("Initiative",),
    "test_up": ("at or below",), "run_factor": (2,), "crit_on": (6,), "crit_wounds": (2,), "dive_bonus": (1,),
    "size": (15,), "first_by": ("higher",), "strikes": ("higher",), "killed": ("no roll to hit",),
    "combat_shot": ("no shots at models in close combat",), "climb_height": (1,),
    "stand_move": ("move", "shoot", "cast", "fight"),
}  # fmt: skip
_PHASES = ("recovery", "movement", "magic", "shooting", "close combat")
_ORDER = re.compile(rf"(?i)\b(?:{'|'.join(_PHASES)})(?:(?:,? and |, ?(?:then )?)(?:{'|'.join(_PHASES)})\b){{2,}}")
_PHASE = re.compile("|".join(_PHASES))


class _Row(NamedTuple):
    """A row that was read: its number, what it says, and the rule without modifiers."""

    number: int
    said: int
    rule: int


def find(aid: Any, _: CheckContext) -> Findings:
    """Yield the rows that are not as the rules have them."""
    yield from _injuries(aid)
    yield from _facts(aid)
    for sort, limits in _LIMITS.items():
        rows = [row for number, each in enumerate(aid.rows) if (row := _read(sort, number, each))]
        offsets = (0,) if sort == "modifier" else _MODIFIERS
        compared = [_wrong(rows, limits, offset) for offset in offsets]
        changed, expected = min(compared, key=lambda found: len(found[0]))
        if 2 * len(changed) < len(rows) or sort == "modifier":
            for row in changed:
                right = expected[row.number]
                word = signed(right) if sort == "modifier" else f"{right} or more"
                word = f"{right} off armor saves" if sort == "save" else word
                yield Finding(f"by the rules, this is {word}", ("rows", row.number, "result"), f"write '{word}'")


def _read(sort: str, number: int, row: Any) -> _Row | None:
    """Return what a row says if it is of a sort."""
    for meaning, _, _ in AIDS.occurrences("needs", row.roll):
        values: dict[str, Any] = dict(meaning) if isinstance(meaning, Features) else {}
        said = _first({"save": "worse", "modifier": "change"}.get(sort, "need"), row.result)
        if sort in values and isinstance(said, int):
            return _Row(number, said, _NEEDS[sort](values[sort], values.get("other", 0)))
    return None


def _wrong(rows: Sequence[_Row], limits: tuple[int, int], modifier: int) -> tuple[list[_Row], dict[int, int]]:
    """Return the rows that differ from the rules with a modifier, and what each row should say."""
    low, high = limits
    expected = {row.number: min(high, max(low, row.rule + modifier)) for row in rows}
    return [row for row in rows if row.said != expected[row.number]], expected


def _first(symbol: str, text: str) -> Meaning:
    return next((meaning for meaning, _, _ in AIDS.occurrences(symbol, text)), None)


def _facts(aid: Any) -> Findings:
    """Yield the distances and dice in its texts that the rules have otherwise."""
    texts: list[tuple[KeyPath, str]] = [(("text",), aid.text or "")]
    texts += [(("rows", number, "result"), row.result) for number, row in enumerate(aid.rows)]
    for route, text in texts:
        if order := _ORDER.search(text):
            named = [_PHASES.index(each) for each in _PHASE.findall(order[0].lower())]
            if named != sorted(named):
                right = ", ".join(_PHASES[each].capitalize() for each in sorted(named))
                message = f"by the rules, the phases are in the order {right}"
                yield Finding(message, route, "write them in this order", text_range=order.span())
        for meaning, start, end in AIDS.occurrences("fact", text):
            for key, said in meaning if isinstance(meaning, Features) else ():
                if said not in _FACTS[key]:
                    right = " or ".join(re.sub("1?d([36])", r"D\1", str(each)) for each in _FACTS[key])
                    yield Finding(f"the rules have {right} here", route, f"write {right}", text_range=(start, end))


def _injuries(aid: Any) -> Findings:
    """Yield the rows of a table of all three injuries that have other faces than those of the game."""
    read = [(_first("faces", row.roll), _first("injury", row.result)) for row in aid.rows]
    rows = [(faces, injury.get("state") if isinstance(injury, Features) else "") for faces, injury in read]
    is_theirs = _ABOUT_INJURIES.search(f"{aid.name} {aid.text or ''}")
    if not is_theirs or {injury for _, injury in rows} != {*warrior.INJURIES}:
        return
    for number, (faces, injury) in enumerate(rows):
        right = [face for face, each in enumerate(warrior.INJURIES, start=1) if each == injury]
        if isinstance(faces, Features) and (faces.get("low"), faces.get("high")) != (right[0], right[-1]):
            shown = f"{right[0]} or {right[-1]}"
            yield Finding(f"a D6 of {shown} is {injury}", ("rows", number, "roll"), f"write '{shown}'")
