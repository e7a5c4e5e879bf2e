"""An objective that no rule uses, or that shares its letter with another.

Why is this bad?
    Players set up an objective for nothing, or cannot tell which of two objectives a rule means.

Example
    game: warcry
    kind: battleplan
    name: The Ford
    map:
      objectives:  # WC313: 3
        - {at: [15, 11]}
    primary: {text: Take an enemy down.}
    secondary: {text: Take down two.}
    twist: {text: It floods.}

Example
    game: warcry
    kind: battleplan
    name: The Ford
    map:
      objectives:
        - {at: [8, 11], mark: A}
        - {at: [22, 11], mark: A}  # WC313: 28
    primary: {text: Control objective A.}
    secondary: {text: Take down two.}
    twist: {text: It floods.}

Use instead
    game: warcry
    kind: battleplan
    name: The Ford
    map:
      objectives:
        - {at: [8, 11], mark: A}
        - {at: [22, 11], mark: B}
    primary: {text: Control objective A.}
    secondary: {text: Take down two.}
    twist: {text: It floods.}
"""

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Battleplan
from cardgen.rulesets.warcry.effective import OBJECTIVE, needs, rules_texts


@rule("WC313", "warning", "likely")
def find(plan: Battleplan) -> Findings:
    """Yield repeated letters, and objectives if no text, condition, or rule uses any."""
    objectives = plan.map.objectives if plan.map else ()
    marks: set[str] = set()
    for index, objective in enumerate(objectives):
        if objective.mark in marks:
            route = ("map", "objectives", index, "mark")
            yield Finding(f"repeated letter '{objective.mark}'", route, help="give each objective a letter of its own")
        if objective.mark:
            marks.add(objective.mark)
    is_used = any(OBJECTIVE in text.casefold() for _, text in rules_texts(plan)) or any(
        need.startswith(OBJECTIVE) for _, need in needs(plan)
    )
    if objectives and not is_used:
        message, advice = "no rule of the battleplan speaks of objectives", "write what they are for, or remove them"
        yield Finding(message, ("map", "objectives"), help=advice, at_key=True)
