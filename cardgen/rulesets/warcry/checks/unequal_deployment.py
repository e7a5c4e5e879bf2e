"""A map on which a side cannot deploy, or lacks a battle group that the other side has.

Why is this bad?
    Each player splits the warband into the battle groups Dagger, Hammer, and Shield, and deploys each of them at a
    point of its own. Without a point, a battle group never comes to the battlefield.

Example
    game: warcry
    kind: battleplan
    name: The Ford
    map:
      points:  # WC310: 3
        - {side: red, group: shield, at: [3, 11]}
    primary: {text: Take an enemy down.}
    secondary: {text: Take down two.}
    twist: {text: It floods.}

Example
    game: warcry
    kind: battleplan
    name: The Ford
    map:
      points:  # WC310: 3
        - {side: red, group: shield, at: [3, 5]}
        - {side: red, group: hammer, at: [3, 17]}
        - {side: blue, group: shield, at: [27, 11]}
    primary: {text: Take an enemy down.}
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
    primary: {text: Take an enemy down.}
    secondary: {text: Take down two.}
    twist: {text: It floods.}
"""

from cardgen.game import Finding, Findings, join_words, rule
from cardgen.rulesets.warcry.limits import BattleMap

_SIDES = ("red", "blue")


@rule("WC310", "error", "likely")
def find(field: BattleMap) -> Findings:
    """Yield the sides that lack deployment points, or those of a battle group."""
    groups = {side: {point.group for point in field.points if point.side in (side, "either")} for side in _SIDES}
    for side, other in (_SIDES, _SIDES[::-1]):
        missing = sorted(filter(None, groups[other] - groups[side]))
        if groups[other] and not groups[side]:
            yield Finding(f"the map has no deployment points for {side}", ("points",), help="add them", at_key=True)
        elif missing and None not in groups[side]:
            message = f"{side} has no deployment point for its {join_words(missing, 'and')}, but {other} has"
            yield Finding(message, ("points",), help=f"add it, or remove it for {other}", at_key=True)
