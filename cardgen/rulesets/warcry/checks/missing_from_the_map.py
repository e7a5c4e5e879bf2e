"""A battleplan whose text names something that its map does not show.

Why is this bad?
    Players set up what the map shows. If the text speaks of an objective or of table quarters that are not on it, they
    do not know where these are.

Example
    game: warcry
    kind: battleplan
    name: The Ford
    map:
      points:
        - {side: red, group: shield, at: [3, 11]}
        - {side: blue, group: shield, at: [27, 11]}
    primary: {text: Control the objective.}  # WC311: 29
    secondary: {text: Take down two.}
    twist: {text: It floods.}

Example
    game: warcry
    kind: battleplan
    name: The Ford
    map:
      objectives:
        - {at: [15, 11], mark: A}
    primary: {text: Control objective B.}  # WC311: 35
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
    primary: {text: Control more table quarters.}  # WC311: 30
    secondary: {text: Take down two.}
    twist: {text: It floods.}

Use instead
    game: warcry
    kind: battleplan
    name: The Ford
    map:
      quarters: true
      objectives:
        - {at: [15, 11], mark: B}
    primary: {text: Control objective B.}
    secondary: {text: Control more table quarters.}
    twist: {text: It floods.}
"""

import re
from collections.abc import Iterator

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.battle_map import BattleMap
from cardgen.rulesets.warcry.battleplan_texts import rules_texts
from cardgen.rulesets.warcry.cards import Battleplan

_OBJECTIVE = re.compile(r"\bobjectives?\b", re.IGNORECASE)
_MARK = re.compile(r"\b[Oo]bjectives? ([A-Z])\b(?:(?:,| and| or) ([A-Z])\b)?")
_QUARTER = re.compile(r"\btable quarters?\b", re.IGNORECASE)


@rule("WC311", "warning", "likely")
def find(plan: Battleplan) -> Findings:
    """Yield the first text that names each thing that a finished map lacks."""
    if plan.map is None or not (plan.map.points or plan.map.objectives):
        return
    reported: set[str] = set()
    for path, text in rules_texts(plan):
        for name, span, advice in _absent(text, plan.map):
            if name not in reported:
                reported.add(name)
                yield Finding(f"the map shows no {name}", path, help=advice, text_range=span)


def _absent(text: str, field: BattleMap) -> Iterator[tuple[str, tuple[int, int], str]]:
    """Yield what a text names and a map lacks, where, and what to do about it."""
    marks = {objective.mark for objective in field.objectives}
    if not field.objectives and (match := _OBJECTIVE.search(text)):
        yield "objective", match.span(), "add 'objectives' to the map"
    for match in _MARK.finditer(text) if field.objectives else ():
        for group in (1, 2):
            if match[group] and match[group] not in marks:
                yield f"objective {match[group]}", match.span(group), f"add 'mark: {match[group]}' to an objective"
    if not field.quarters and (match := _QUARTER.search(text)):
        yield "table quarters", match.span(), "add 'quarters: true' to the map"
