"""Words or rolls of other games.

Why is this bad?
    Warcry has neither saves nor Health, all its dice have six sides, and a D6 never shows a 7. A rule that uses them
    cannot be played.

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
    text: Roll a die. On a 7+ an enemy loses 2 Health.  # WC202: 24, WC202: 44

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

import re

from cardgen.game import Finding, Findings, FreeText, rule

# The words of other games, and what Warcry has instead.
_TERMS = {
    r"(?i:(?:armou?r|ward|invulnerable) saves?|saving throws?)": "change Toughness, or remove damage points",
    r"Health|(?i:hit points?)": "Warcry has Wounds and damage points",
    r"(?i:(?:to-)?wound rolls?|rolls? to wound)": "Warcry has hit rolls only",
    r"(?i:mortal wounds?)": "allocate damage points",
    r"(?i:(?:charge|shooting|fight|psychic|morale|movement|battleshock) phases?)": "Warcry has a combat phase",
    r"(?i:battleshock|morale) (?i:tests?)|(?i:command points?)": "Warcry has ability dice",
    r"[dD](?:4|8|10|12|20|100)": "use D6 or D3",
    r"Weapon Skill|Ballistic Skill|Leadership|Bravery|Rend": "use a characteristic of Warcry",
}
_PATTERNS = {re.compile(rf"\b(?:{words})\b"): advice for words, advice in _TERMS.items()}
_ROLL = re.compile(r"\b[Oo]n an? (?:[7-9]|[1-9]\d)\+")
_SEVERAL_DICE = re.compile(r"\b(?:[2-9]D[36]|D66)\b|\bdice\b")


@rule("WC202", "warning", "likely")
def find(free_text: FreeText) -> Findings:
    """Yield words of other games, and what a single die never shows."""
    if not free_text.is_rules_text:
        return
    for pattern, advice in _PATTERNS.items():
        for match in pattern.finditer(free_text.text):
            yield Finding(f"unknown term '{match[0]}'", help=advice, text_range=match.span())
    for match in () if _SEVERAL_DICE.search(free_text.text) else _ROLL.finditer(free_text.text):
        span = (match.end() - len(match[0].split()[-1]), match.end())
        yield Finding("a D6 shows 6 at most", help="use 2+ to 6+, or roll 2D6", text_range=span)
