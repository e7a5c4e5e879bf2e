"""A battle round that the battle does not reach.

Why is this bad?
    A battle has as many battle rounds as the ruling `rounds` sets, which is four by default. What arrives or scores
    later never does. If the battle of a battleplan is longer, its text must say so: 'The battle lasts 6 battle rounds.'
    The rules of fighters and warbands are for the longest battle among the cards.

Example
    game: warcry
    kind: battleplan
    name: The Ford
    map:
      points:
        - {side: red, group: shield, at: [3, 11]}
        - {side: blue, group: shield, at: [27, 11]}
        - {side: either, group: dagger, at: [15, 2], round: 7}  # WC312: 57
    primary: {text: Take an enemy down.}
    secondary: {text: Take down two.}
    twist: {text: It floods.}

Example
    game: warcry
    kind: battleplan
    name: The Ford
    map:
      points:
        - {side: red, group: shield, at: [3, 11]}
        - {side: blue, group: shield, at: [27, 11]}
    primary: {text: Each enemy taken down in battle round 7 scores 1 victory point.}  # WC312: 42
    secondary: {text: Take down two.}
    twist: {text: It floods.}

Example
    game: warcry
    kind: trait
    name: Last Breath
    runemark: chaos
    changes:
      - {when: {event: round-start, rounds: [4, 9]}, save_wild: 1}  # WC312: 45

Use instead
    game: warcry
    kind: battleplan
    name: The Ford
    map:
      points:
        - {side: red, group: shield, at: [3, 11]}
        - {side: blue, group: shield, at: [27, 11]}
    primary: {text: Each enemy taken down in battle round 3 scores 1 victory point.}
    secondary: {text: Take down two.}
    twist: {text: It floods.}
"""

import re
from collections.abc import Iterator

from cardgen.game import NUMBER_WORDS, CheckContext, Finding, Findings, KeyPath, rule
from cardgen.rulesets.warcry.cards import Ability, Battleplan, Blessing, Rule, Trait
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.effective import parts_of, placed_changes, rules_texts

_ROUND = re.compile(r"\bbattle round (\d+)", re.IGNORECASE)
_LENGTH = re.compile(r"\b(\d+|[a-z]+) battle rounds\b", re.IGNORECASE)


@rule("WC312", "error", "likely")
def find(card: Battleplan | Ability | Rule | Trait | Blessing, context: CheckContext) -> Findings:
    """Yield arrivals, texts, and changes of battle rounds after the last one."""
    usual = _number(context.rulings.get("rounds", "four"))
    if isinstance(card, Battleplan):
        yield from _find_in_battleplan(card, max(usual, _length(card)))
        return
    placed_all = [placed for placed in placed_changes(card) if any(_rounds(placed.change))]
    if placed_all:
        last = max(usual, *map(_length, context.scope.cards_of_type(Battleplan)), 0)
        for placed in placed_all:
            for route, number in _rounds(placed.change):
                if number > last:
                    yield _finding(number, last)._replace(route=placed.at(*route), text_range=placed.text_range)


def _length(plan: Battleplan) -> int:
    """Return how many battle rounds a battleplan says that its battle lasts, or 0."""
    return max((_number(match[1]) for _, text in rules_texts(plan) for match in _LENGTH.finditer(text)), default=0)


def _find_in_battleplan(plan: Battleplan, last: int) -> Findings:
    for index, point in enumerate(plan.map.points if plan.map else ()):
        if point.round is not None and point.round > last:
            yield _finding(point.round, last)._replace(route=("map", "points", index, "round"))
    for path, text in rules_texts(plan):
        for match in _ROUND.finditer(text):
            if int(match[1]) > last:
                yield _finding(int(match[1]), last)._replace(route=path, text_range=match.span())


def _rounds(change: Change) -> Iterator[tuple[KeyPath, int]]:
    """Yield the battle rounds that the moments and conditions of a change name, each with the keys that lead to it."""
    for part, route in parts_of(change):
        for index, number in enumerate(getattr(part, "rounds", ())):
            yield (*route, "rounds", index), number


def _finding(number: int, last: int) -> Finding:
    return Finding(f"battle round {number} never comes", help=f"use battle round 1 to {last}")


def _number(word: str) -> int:
    word = word.casefold()
    return int(word) if word.isdecimal() else NUMBER_WORDS.index(word) if word in NUMBER_WORDS else 0
