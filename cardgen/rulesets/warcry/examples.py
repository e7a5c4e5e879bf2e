"""Example cards of each kind: the YAML below the name, for `cardgen new`."""

from __future__ import annotations

from collections.abc import Mapping

EXAMPLES: Mapping[str, str] = {
    "fighter": """\
motto: First in, last out.
faction: cypher-lords                     # a faction runemark, or a grand alliance
runemarks: [warrior]                      # up to three others
stats: {M: 5, T: 4, W: 10}                # Move in inches, Toughness, Wounds
points: 70
weapons:                                  # the shape, then Range, Attacks, Strength, Damage of a hit/critical hit
  - Glaive: reach R2 A3 S4 D1/4
  - Darts: ranged R3-8 A2 S3 D1/3
""",
    "ability": """\
price: double                             # double, triple, quad, reaction, action or free
runemarks: [warrior]                      # who may use it; left out: everybody
changes:                                  # the card's text is made from these
  - {strength: +1, weapon: melee, for: activation}
""",
    "trait": """\
runemark: cypher-lords
changes:                                  # or a text, for what changes cannot say
  - {move: +1}
""",
    "blessing": """\
points: {regular: 15, elite: 20}
changes:
  - {toughness: +1}
""",
    "battleplan": """\
motto: Two warbands, one bridge.
map:
  points:
    - {side: red, group: shield, at: [3, 11]}
    - {side: blue, group: shield, at: [27, 11]}
  objectives:
    - {at: [15, 11]}
primary:
  scores:
    - {vp: 1, text: If they control any objective.}
secondary: {name: The Far Bank, text: A player scores 2 victory points if they control more objectives.}
twist: {name: High Water, text: The player with fewer victory points picks an objective and removes it.}
""",
    "warband": """\
members:
  - {fighter: <fighter>, leader: true}
""",
    "token": """\
icon: bolt                                # or a value, such as 1, and another one on the back: flip: 5
qty: 8
""",
    "cylinder": """\
base: 32                                  # 25, 28.5, 32, 40, 50 or 60 mm
height: 35                                # of the miniature, in mm
faction: cypher-lords                     # the runemark on its back
runemarks: [warrior]                      # the first one is on its front
""",
    "standee": """\
base: 32                                  # 25, 28.5, 32, 40, 50 or 60 mm
height: 35                                # of the miniature, in mm
faction: cypher-lords                     # the runemark on its back
runemarks: [warrior]                      # the first one is on its front
""",
}
