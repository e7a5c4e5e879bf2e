"""Words or rolls of other games.

Why is this bad?
    Warcry has neither saves nor Health, and all its dice have six sides. A rule that uses them cannot be played.

Example
    game: warcry
    kind: ability
    name: Shove
    price: double
    text: Pick an enemy. It makes an armour save.  # WC202: 34

Example
    game: warcry
    kind: ability
    name: Shove
    price: double
    text: Roll a die. On a 6 an enemy loses 2 Health.  # WC202: 43

Example
    game: warcry
    kind: ability
    name: Shove
    price: double
    text: Pick an enemy. Allocate D8 damage points to it.  # WC202: 31

Use instead
    game: warcry
    kind: ability
    name: Shove
    price: double
    text: Roll a die. On a 4+ an enemy is allocated 2 damage points.
"""

from cardgen.game import foreign_terms, rule

# The words of other games, and what Warcry has instead.
_TERMS = {
    r"(?i:(?:armou?r|ward|invulnerable) saves?|saving throws?)": "change Toughness, or remove damage points",
    r"Health|(?i:hit points?)": "Warcry has Wounds and damage points",
    r"(?i:(?:to-)?wound rolls?|rolls? to wound)": "Warcry has hit rolls only",
    r"(?i:mortal wounds?)": "allocate damage points",
    r"(?i:(?:charge|shooting|fight|psychic|morale|movement|battleshock) phases?)": "Warcry has a combat phase",
    r"(?i:battleshock|morale) (?i:tests?)|(?i:command points?)": "Warcry has ability dice",
    r"\d*[dD](?:4|8|10|12|20|100)": "use D6 or D3",
    r"Weapon Skill|Ballistic Skill|Leadership|Bravery|Rend": "use a characteristic of Warcry",
}

find = rule("WC202", "warning", "likely")(foreign_terms(_TERMS))
