"""A battleplan whose rules need something that its map does not show.

Why is this bad?
    Players set up what the map shows. If the text speaks of an objective, of table quarters, or of table halves that
    are not on it, they do not know where these are. The match tracker cannot count them with `when` or `rule` either.

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

Example
    game: warcry
    kind: battleplan
    name: The Ford
    map:
      objectives:
        - {at: [15, 11], mark: A}
    primary:
      scores:
        - {vp: 1, when: red-holds-b, text: Holding the far bank.}  # WC311: 21
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
from cardgen.rulesets.warcry.cards import Battleplan
from cardgen.rulesets.warcry.effective import HALVES, OBJECTIVE, QUARTERS, needs, rules_texts
from cardgen.rulesets.warcry.limits import BattleMap

_THINGS = {
    OBJECTIVE: re.compile(r"\bobjectives?\b", re.IGNORECASE),
    QUARTERS: re.compile(r"\btable quarters?\b", re.IGNORECASE),
    HALVES: re.compile(r"\btable hal(?:f|ves)\b", re.IGNORECASE),
}
_MARK = re.compile(r"\b[Oo]bjectives? ([A-Z])\b(?:(?:,| and| or) ([A-Z])\b)?")
_ADVICE = {
    OBJECTIVE: "add 'objectives' to the map",
    QUARTERS: "add 'quarters: true' to the map",
    HALVES: "add 'halves: left-right' to the map",
}


@rule("WC311", "warning", "likely")
def find(plan: Battleplan) -> Findings:
    """Yield the first text, condition, or rule that needs each thing that a finished map lacks."""
    if plan.map is None or not (plan.map.points or plan.map.objectives):
        return
    reported: set[str] = set()
    for finding, need in (*_text_needs(plan), *((Finding("", path), need) for path, need in needs(plan))):
        name = _absent(need, plan.map)
        if name and name not in reported:
            reported.add(name)
            mark = name.removeprefix(OBJECTIVE).strip()
            advice = _ADVICE.get(name, f"add 'mark: {mark}' to an objective")
            yield finding._replace(message=f"the map shows no {name}", help=advice)


def _text_needs(plan: Battleplan) -> Iterator[tuple[Finding, str]]:
    """Yield what the texts name, and where."""
    for path, text in rules_texts(plan):
        for match in _MARK.finditer(text):
            for group in (1, 2):
                if match[group]:
                    yield Finding("", path, text_range=match.span(group)), f"{OBJECTIVE} {match[group]}"
        for name, pattern in _THINGS.items():
            if first := pattern.search(text):
                yield Finding("", path, text_range=first.span()), name


def _absent(need: str, field: BattleMap) -> str:
    """Return what a map lacks: the need itself, any objective at all, or nothing."""
    if need.startswith(OBJECTIVE):
        mark = need.removeprefix(OBJECTIVE).strip()
        marks = {objective.mark for objective in field.objectives}
        return OBJECTIVE if not field.objectives else need if mark and mark not in marks else ""
    return "" if (field.quarters if need == QUARTERS else field.halves) else need
