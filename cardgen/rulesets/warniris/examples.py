"""Example cards of each kind: the YAML below the name, for `cardgen new`."""

from __future__ import annotations

from collections.abc import Mapping

EXAMPLES: Mapping[str, str] = {
    "character": """\
motto: I came to stay.
stats: {M: 3, B: 3, S: 2, W: 5, Mo: 12}   # mind, body, spirit, wounds, movement in cm
weapons:                                  # the type (CW, RW or P), then range, penetration, damage, healing
  - Sword: CW R1 P2 D2
  - Pistol: RW R10 P1 D1
abilities:
  - name: Steadfast
    effects:                              # the card's text is made from these
      - {when: damaged, if: {roll: [1]}, bearer: {ignore: 1}}
""",
    "minion": """\
motto: One of many.
stats: {M: 2, B: 2, S: 2, W: 1, Mo: 10}   # mind, body, spirit, wounds, movement in cm
weapons:                                  # the type (CW, RW or P), then range, penetration, damage, healing
  - Club: CW R1 P1 D1
""",
    "relic": """\
motto: It remembers you.
once: true                                # discarded when used; 'turn' for once a turn
effects:                                  # the card's text is made from these
  - {when: activation_start, bearer: {heal: 1}}
""",
    "mission": """\
vp: 3
earn: {event: eliminate, count: 2, in: turn}   # or a text, for what a transcript cannot decide
""",
    "warband": """\
members:
  - character: <character>
""",
    "token": """\
icon: bolt                                # or a value, such as 1, and another one on the back: flip: 3
qty: 8
""",
    "cylinder": """\
base: 32                                  # 25, 28.5, 30, 32 or 40 mm
height: 35                                # of the miniature, in mm
""",
    "standee": """\
base: 32                                  # 25, 28.5, 30, 32 or 40 mm
height: 35                                # of the miniature, in mm
""",
    "blank": """\
of: character                             # or minion, relic, mission
qty: 2
""",
}
