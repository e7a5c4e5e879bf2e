"""Words or rolls of other games.

Why is this bad?
    Warniris has neither saves nor hit points, its battles have turns, and all its dice are D6. A rule that uses
    anything else cannot be played.

Example
    kind: relic
    name: Sun Stone
    text: Its bearer makes an armour save.  # WN205: 27

Use instead
    kind: relic
    name: Sun Stone
    text: Roll 1D6. On a 5+ its bearer is Healed 1.
"""

from cardgen.game import foreign_terms, rule

# The words of other games, and what Warniris has instead.
_TERMS = {
    r"(?i:(?:armou?r|ward|invulnerable) saves?|saving throws?)": "the target tests Body or Spirit to resist",
    r"(?i:hit points?)|Toughness|Health": "Warniris has Wounds and Body",
    r"(?i:(?:to-)?wound rolls?|rolls? to wound|mortal wounds?)": "Warniris has Damage",
    r"(?i:(?:charge|shooting|fight|psychic|morale|combat|hero|battleshock) phases?)": "Warniris has Activations",
    r"(?i:battle rounds?)": "Warniris has turns",
    r"(?i:(?:battleshock|morale) tests?|command points?|ability dice|wild dice)": "use a Test",
    r"\d*[dD]3": "use D6, and count 1 or 2 as 1, 3 or 4 as 2, and 5 or 6 as 3",
    r"\d*[dD](?:4|8|10|12|20|100)": "use D6",
    r"Weapon Skill|Ballistic Skill|Leadership|Bravery|Rend": "use an attribute of Warniris",
}

find = rule("WN205", "warning", "likely")(foreign_terms(_TERMS))
