"""Words of other editions, and dice that the game does not have.

Why is this bad?
    A skirmish has no combat resolution, ranks, or pursuit, and its armor saves are modified by Strength, not by
    Rend. A rule that uses such words cannot be played.

Example
    game: skirmish
    kind: weapon
    name: Hook
    text: It has Rend −1.  # WS201: 14

Example
    game: skirmish
    kind: weapon
    name: Hook
    text: The enemy takes a break test at the end of the phase.  # WS201: 25

Use instead
    game: skirmish
    kind: weapon
    name: Hook
    piercing: 1
    text: It takes 1 more off armor saves.
"""

from cardgen.game import foreign_terms, rule

# The words of other editions and games, and what a skirmish has instead.
_TERMS = {
    r"(?i:combat (?:resolution|results?))": "a skirmish counts no combat results",
    r"(?i:break tests?)": "models test when they are All Alone",
    r"(?i:overruns?|pursuit (?:moves?|rolls?))": "nobody pursues in a skirmish",
    r"(?i:rank bonus(?:es)?|static combat)": "every model is a unit of its own",
    r"(?i:battleshock|mortal wounds?|saving throws?|invulnerable saves?)": "use armor saves, ward saves, and injuries",
    r"(?i:hit points?|victory points?)": "models have Wounds, and scenarios say who wins",
    r"(?i:parting shots?|step up|supporting attacks?)": "only models in contact fight",
    r"\b(?:Rend|AP)\b": "write `piercing` on the weapon",
    r"\b(?:Bravery|Agility|Discipline)\b": "use a characteristic of the profile",
    r"(?i:impact hits?|stomps?|thunderstomps?)": "skirmishes are for infantry",
    r"\d*[dD](?:4|8|10|12|20|100)\b": "use D6 or D3",
}

find = rule("WS201", "warning", "likely")(foreign_terms(_TERMS))
