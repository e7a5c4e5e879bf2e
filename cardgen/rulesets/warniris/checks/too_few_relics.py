"""More Characters with a Relic than copies of its card.

Why is this bad?
    Each Character needs its own copy of the Relic card. Two Characters may carry the same Relic (ruling
    `relic-duplicates`), but only if there are enough copies.

Example
    cards:
      - {kind: character, name: Asha, stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}}
      - {kind: character, name: Bero, stats: {M: 2, B: 3, S: 3, W: 5, Mo: 10}}
      - {kind: relic, name: Sun Stone, effects: [{when: turn_start, bearer: {heal: 1}}]}
      - kind: warband
        name: The Few
        members:
          - {character: Asha, relic: Sun Stone}
          - {character: Bero, relic: Sun Stone}  # WN121: 34

Use instead
    cards:
      - {kind: character, name: Asha, stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}}
      - {kind: character, name: Bero, stats: {M: 2, B: 3, S: 3, W: 5, Mo: 10}}
      - {kind: relic, name: Sun Stone, qty: 2, effects: [{when: turn_start, bearer: {heal: 1}}]}
      - kind: warband
        name: The Few
        members:
          - {character: Asha, relic: Sun Stone}
          - {character: Bero, relic: Sun Stone}
"""

from collections import Counter

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity, cards_by_name
from cardgen.rulesets.warniris.cards import Relic, Warband

CODE, NAME = "WN121", "too-few-relics"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Warband


def find(warband: Warband, context: CheckContext) -> Findings:
    """Yield, for each Relic, the first member without a copy left."""
    relics, carried = cards_by_name(context.scope, Relic), Counter[str]()
    for index, member in enumerate(warband.members):
        relic = relics.get(member.relic or "")
        if relic:
            carried[relic.id] += 1
            if carried[relic.id] == relic.qty + 1:
                message = f"not enough copies of '{relic.name}' (qty: {relic.qty})"
                yield Finding(message, ("members", index, "relic"), help="increase its 'qty', or choose another Relic")
