"""A condition that scores no victory points.

Why is this bad?
    Players meet the condition and do not know what they get.

Example
    game: warcry
    kind: battleplan
    name: The Ford
    primary:
      scores:
        - {text: Controlling the ford.}  # WC314: 14
    secondary: {text: Hold it longer.}
    twist: {text: It floods.}

Use instead
    game: warcry
    kind: battleplan
    name: The Ford
    primary:
      scores:
        - {vp: 1, text: Controlling the ford.}
    secondary: {text: Hold it longer.}
    twist: {text: It floods.}
"""

import re

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.limits import Section

_AMOUNT = re.compile(r"\d|victory point|\b(?:half|double|equal)\b", re.IGNORECASE)


@rule("WC314", "warning", "likely")
def find(section: Section) -> Findings:
    """Yield the scores whose victory points neither `vp` nor the text gives."""
    for index, score in enumerate(section.scores):
        if score.vp is None and not _AMOUNT.search(score.text):
            route = ("scores", index, "text")
            yield Finding("the condition scores no victory points", route, help="add 'vp' with a number")
