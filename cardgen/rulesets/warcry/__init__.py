"""Warcry, second edition, with the Matched Play battlepack: its facts, in this project's own words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from cardgen.game import Kind, Ruleset
from cardgen.rulesets.warcry.cards import KINDS
from cardgen.rulesets.warcry.changes import describe, once_label
from cardgen.rulesets.warcry.rulebook import GLOSSARY, RULINGS

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
}


RULESET = Ruleset(
    id="warcry",
    name="Warcry, Matched Play",
    kinds=MappingProxyType({model.KIND: Kind(model, size, EXAMPLES[model.KIND]) for model, size in KINDS}),
    describe=describe,
    once_label=once_label,
    glossary=GLOSSARY,
    rulings=RULINGS,
    checks=f"{__name__}.checks",
    trials=f"{__name__}.referee.trials",
    reference=f"{__name__}.reference",
)
