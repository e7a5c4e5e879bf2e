"""A `rule` in a section of a battleplan in which the match tracker does not play it.

Why is this bad?
    The match tracker plays the rules of twists only in `twist`, and those of secondary victory conditions only in
    `secondary`. Anywhere else, it leaves them to the players.

Example
    game: warcry
    kind: battleplan
    name: The Ford
    primary: {text: Take an enemy down.}
    secondary: {rule: silence-enemy, text: Silence them.}  # WC323: 19
    twist: {text: It floods.}

Use instead
    game: warcry
    kind: battleplan
    name: The Ford
    primary: {text: Take an enemy down.}
    secondary: {rule: devastation, text: Take down more.}
    twist: {rule: silence-enemy, text: Silence them.}
"""

from typing import get_args

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Battleplan
from cardgen.rulesets.warcry.limits import SecondaryRule

_WHAT = {"secondary": "secondary victory condition", "twist": "twist"}


@rule("WC323", "warning", "certain")
def find(plan: Battleplan) -> Findings:
    """Yield rules outside the section in which the match tracker plays them."""
    notes = ((("sections", index), section) for index, section in enumerate(plan.sections))
    for path, section in (
        *notes, (("primary",), plan.primary), (("secondary",), plan.secondary), (("twist",), plan.twist),
    ):  # fmt: skip
        home = "secondary" if section.rule in get_args(SecondaryRule) else "twist"
        if section.rule and path != (home,):
            message = f"'{section.rule}' is a rule of a {_WHAT[home]}"
            yield Finding(message, (*path, "rule"), help=f"move it to '{home}', or remove 'rule'")
