"""A Character listed twice in the same Warband.

Why is this bad?
    Each Character has one datacard and carries at most one Relic. The second entry would duplicate the Character, or
    give it a second Relic.

Example
    cards:
      - {kind: character, name: Asha, stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}}
      - {kind: relic, name: Sun Stone, effects: [{when: turn_start, bearer: {heal: 1}}]}
      - {kind: relic, name: Moon Stone, effects: [{when: turn_end, bearer: {heal: 1}}]}
      - kind: warband
        name: The Few
        members:
          - {character: Asha, relic: Sun Stone}
          - {character: Asha, relic: Moon Stone}  # WN120: 21

Use instead
    cards:
      - {kind: character, name: Asha, stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}}
      - {kind: relic, name: Sun Stone, effects: [{when: turn_start, bearer: {heal: 1}}]}
      - kind: warband
        name: The Few
        members:
          - {character: Asha, relic: Sun Stone}
"""

from cardgen.game import CheckContext, Confidence, Finding, Findings, Related, Severity, slugify
from cardgen.rulesets.warniris.cards import Warband

CODE, NAME = "WN120", "same-character"
SEVERITY, CONFIDENCE = Severity.ERROR, Confidence.CERTAIN
LOOKS_AT = Warband


def find(warband: Warband, context: CheckContext) -> Findings:
    """Yield the members that repeat a Character."""
    first: dict[str, int] = {}
    for index, member in enumerate(warband.members):
        before = first.setdefault(slugify(member.character), index)
        if before != index:
            twice = member.relic and warband.members[before].relic
            message = f"duplicate character '{member.character}'" + (" with two Relics" if twice else "")
            related = (Related("first listed here", ("members", before, "character")),)
            yield Finding(message, ("members", index, "character"), help="choose another Character", related=related)
