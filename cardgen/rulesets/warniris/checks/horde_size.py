"""A Horde that is not of 20 Minions.

Why is this bad?
    A Last Stand is played against a Horde of 20 Minions, and it is filled up to 20 at the start of each turn
    (Last Stand: Horde). The referee plays no other.

Example
    cards:
      - {kind: minion, name: Husk, stats: {M: 2, B: 2, S: 2, W: 1, Mo: 10}}
      - kind: warband
        name: The Many
        minions:  # WN123: 5
          - {minion: Husk, qty: 7}

Use instead
    cards:
      - {kind: minion, name: Husk, stats: {M: 2, B: 2, S: 2, W: 1, Mo: 10}}
      - kind: warband
        name: The Many
        minions:
          - {minion: Husk, qty: 20}
"""

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.warniris.cards import HORDE_SIZE, Warband

CODE, NAME = "WN123", "horde-size"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Warband


def find(warband: Warband, context: CheckContext) -> Findings:
    """The Minions of a Horde that are more or fewer than 20 together."""
    count = sum(troop.qty for troop in warband.minions)
    if warband.minions and count != HORDE_SIZE:
        more = "lower" if count > HORDE_SIZE else "raise"
        message = f"a Horde must have {HORDE_SIZE} Minions, not {count}"
        yield Finding(message, ("minions",), help=f"{more} 'qty', or change the list of Minions", at_key=True)
