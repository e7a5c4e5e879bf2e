"""Checks of rules in words."""

import re
from math import floor, hypot

from cardgen.game import (
    CM_PER_INCH,
    CheckContext,
    Finding,
    Findings,
    FreeText,
    foreign_units,
)
from cardgen.game import foreign_terms as terms_of_other_games
from cardgen.rulesets.warcry.cards import DICE, Ability, Battleplan, Rule
from cardgen.rulesets.warcry.limits import BattleMap

_INCHES = re.compile(r'(?<![\d.])(\d+)(?:"|″|-inch\b| inch(?:es)?\b)')
_USUAL = BattleMap.model_construct()


def beyond_battlefield(free_text: FreeText, context: CheckContext) -> Findings:
    """Yield the distances that exceed the diagonal of the battlefield."""
    card = context.card
    field = (card.map if isinstance(card, Battleplan) else None) or _USUAL
    farthest = floor(hypot(field.width, field.height))
    for match in _INCHES.finditer(free_text.text) if free_text.is_rules_text else ():
        if int(match[1][:6]) > farthest:
            message = f"no two places on the battlefield are {match[1]} inches apart"
            yield Finding(message, help=f"the diagonal is {farthest} inches", text_range=match.span())


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

foreign_terms = terms_of_other_games(_TERMS)


_METRIC = re.compile(r"(?<!\d)(\d+(?:\.\d+)?)\s*(mm|cm|centimet(?:re|er)s?|millimet(?:re|er)s?)\b", re.IGNORECASE)


def _to_inches(match: re.Match[str]) -> tuple[str, str]:
    cm = min(float(match[1]), 1e6) / (10 if match[2][0] in "mM" else 1)
    return match[0], f'{max(1, round(cm / CM_PER_INCH))}"'


metric = foreign_units(_METRIC, "lengths are in inches", _to_inches)


_NAMES = "|".join((*DICE, "reaction"))
# A price before a sentence, such as '[Double]', '{triple}', or 'QUAD:', or one that is spent or paid.
_PRICE = re.compile(
    rf"(?:^|[.!?]\s)\s*\**(?P<before>[\[{{](?:{_NAMES})[\]}}]|(?:{_NAMES})(?=\**\s?[-:\u2013\u2014]))"
    rf"|\b(?:costs?|spends?|pays?)\s+(?P<spent>an?\s+(?:{'|'.join(DICE)}))\b",
    re.IGNORECASE,
)


def other_price(card: Ability | Rule) -> Findings:
    """Yield the prices in the text that are not that of the card."""
    for match in _PRICE.finditer(card.text or "") if card.price else ():
        group = "before" if match["before"] else "spent"
        word = match[group].split()[-1].strip("[]{}").casefold()
        if word != card.price:
            message = f"the text has the price '{word}', the card the price '{card.price}'"
            advice = "remove it, or change the price of the card; write a card of its own for a second price"
            yield Finding(message, ("text",), advice, match.span(group))


# The abilities that the referee plays by their names, with their prices and all numbers that their texts need.
_BY_NAME = {
    "counter": ("reaction", {1, 2, 3}),
    "take-cover": ("reaction", {4}),
    "strike-them-down": ("reaction", {1, 4, 6}),
    "inspiring-presence": ("triple", {6}),
}
_NUMBER = re.compile(r"\d+")


def played_by_name(card: Ability) -> Findings:
    """Yield where a card with the name of an ability that the referee knows says something else than that does."""
    if card.id not in _BY_NAME:
        return
    price, numbers = _BY_NAME[card.id]
    advice = "give the card another name, or the words of the battlepack"
    if card.price != price:
        message = f"the referee plays '{card.name}' by its name, with the price '{price}', not '{card.price}'"
        yield Finding(message, ("price",), advice)
    for match in _NUMBER.finditer(card.text or ""):
        if int(match[0][:6]) not in numbers:
            message = f"the referee plays '{card.name}' by its name, which has no {match[0]}"
            yield Finding(message, ("text",), advice, match.span())
