"""A Character that stands in a Warband twice.

Why is this bad?
    There is one datacard for each Character, and each bears one Relic at most: the second line would make two of one,
    or give one of them two Relics.

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
    """Members that name a Character again."""
    first: dict[str, int] = {}
    for index, member in enumerate(warband.members):
        before = first.setdefault(slugify(member.character), index)
        if before != index:
            twice = member.relic and warband.members[before].relic
            message = f"'{member.character}' stands here twice" + (", with two Relics" if twice else "")
            related = (Related("first named here", ("members", before, "character")),)
            yield Finding(message, ("members", index, "character"), help="take another Character", related=related)
