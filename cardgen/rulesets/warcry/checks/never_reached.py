"""A battle round that the battle does not reach.

Why is this bad?
    A battle has as many battle rounds as the ruling `rounds` sets, which is four by default. What arrives or scores
    later never does. If the battle of a battleplan is longer, its text must say so: 'The battle lasts 6 battle rounds.'

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

from cardgen.game import NUMBER_WORDS, CheckContext, Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Battleplan
from cardgen.rulesets.warcry.effective import rules_texts

_ROUND = re.compile(r"\bbattle round (\d+)", re.IGNORECASE)
_LENGTH = re.compile(r"\b(\d+|[a-z]+) battle rounds\b", re.IGNORECASE)


@rule("WC312", "error", "likely")
def find(plan: Battleplan, context: CheckContext) -> Findings:
    """Yield the arrivals and texts of battle rounds after the last one."""
    texts = tuple(rules_texts(plan))
    lengths = [_number(match[1]) for _, text in texts for match in _LENGTH.finditer(text)]
    last = max(_number(context.rulings.get("rounds", "four")), *lengths, 0)
    for index, point in enumerate(plan.map.points if plan.map else ()):
        if point.round is not None and point.round > last:
            yield _finding(point.round, last)._replace(route=("map", "points", index, "round"))
    for path, text in texts:
        for match in _ROUND.finditer(text):
            if int(match[1]) > last:
                yield _finding(int(match[1]), last)._replace(route=path, text_range=match.span())


def _finding(number: int, last: int) -> Finding:
    return Finding(f"battle round {number} never comes", help=f"use battle round 1 to {last}")


def _number(word: str) -> int:
    word = word.casefold()
    return int(word) if word.isdecimal() else NUMBER_WORDS.index(word) if word in NUMBER_WORDS else 0
