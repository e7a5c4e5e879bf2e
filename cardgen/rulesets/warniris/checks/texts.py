"""Checks of texts: units, terms, and words that the rules or the effects contradict."""

import re

from cardgen.game import (
    CM_PER_INCH,
    NUMBER_WORDS,
    Finding,
    Findings,
    FreeText,
    Related,
    foreign_terms,
    foreign_units,
    told_changes,
)
from cardgen.rulesets.warniris.cards import (
    Ability,
    Mission,
    Relic,
)
from cardgen.rulesets.warniris.effect import Weapon
from cardgen.rulesets.warniris.rulebook import RULINGS
from cardgen.rulesets.warniris.weapon_line import WEAPON_TYPES

INCHES = re.compile(r"(?<!\d)(\d+(?:\.\d+)?)\s*(?:[\"”″]|''|-?inch(?:es)?\b|in\.)", re.IGNORECASE)
_TYPE = re.compile(r"\b(?:[A-Z]W|(?:melee|missile|magic|heavy|mounted)[ -]weapons?)\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"\b(?:Mind|Body|Spirit)\b", re.IGNORECASE)
# What a text promises against the rules, and what to do about it, by the meaning of the clauses of faults.
_FAULTS = {
    "attribute": ("no attribute is above 5", "Mind, Body, and Spirit range from 1 to 5"),
    "turn": ("the battle has five turns", "choose a turn from 1 to 5"),
    "minion": ("Minions never React, and carry no Relics", "write it for a Character"),
    "reactions": ("a miniature Reacts once a turn, or once more", "allow no more than two Reactions a turn"),
    "healing": ("healing never raises Wounds above the printed number", "remove this"),
    "distance": ("the table's diagonal is 73 cm", "choose a distance up to 73 cm"),
    "floor": ("no attribute is below 1", "Mind, Body, and Spirit range from 1 to 5"),
}
_NUMBER = re.compile(rf"(?<![\w.])(?:(\d+)(?![\w.]*[Dd]\d)|({'|'.join(NUMBER_WORDS[2:])}))(?!\w)", re.IGNORECASE)
_TERMS = ("Mind", "Body", "Spirit", "Movement", "Range", "Penetration")
_TERM = re.compile(rf"\b(?:{'|'.join(_TERMS)})\b")
inches = foreign_units(
    INCHES,
    "lengths are in centimeters",
    lambda match: (f"{match[1]} inches", f"{float(match[1]) * CM_PER_INCH:.0f} cm"),
)


def unknown_weapon_type(free_text: FreeText) -> Findings:
    """Find abbreviations that end in W, and weapon terms of other games."""
    for match in _TYPE.finditer(free_text.text) if free_text.is_rules_text else ():
        if match[0].upper() not in WEAPON_TYPES and (len(match[0]) > 2 or match[0].isupper()):
            ruling = next(ruling for ruling in RULINGS if ruling.id == "mission-14-type")
            quoted = f" (ruling {ruling.id}: {ruling.settings[ruling.default]})" if match[0] == "MW" else ""
            message = f"unknown weapon type '{match[0]}'"
            yield Finding(message, help=f"write CW, RW or Power{quoted}", text_range=match.span())


# The words of other games, and what Warniris has instead.
borrowed_terms = foreign_terms(
    {
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
)


def against_rules(free_text: FreeText) -> Findings:
    """Find the words that no rule allows."""
    if not free_text.is_rules_text:
        return
    from cardgen.rulesets.warniris.wording.clauses import CLAUSES  # loaded here because few cards have texts

    text = free_text.text
    for fault, start, end in CLAUSES.occurrences("fault", text):
        if "," not in text[start:end] and (fault != "attribute" or _ATTRIBUTE.search(text)):
            message, advice = _FAULTS[str(fault)]
            yield Finding(message, help=advice, text_range=(start, end))


def contradiction(thing: Ability | Mission | Relic | Weapon) -> Findings:
    """Yield numbers and terms that occur in the text but not in the effects, or vice versa."""
    if thing.text is None:
        return
    from cardgen.rulesets.warniris.wording.effects import sentences  # loaded here because few cards have texts

    effects_text = " ".join(sentences(thing))
    if not effects_text:
        return
    numbers, terms = {_in_figures(match) for match in _NUMBER.finditer(effects_text)}, set(_TERM.findall(effects_text))
    numbers_in_text = [(match, _in_figures(match), "number") for match in _NUMBER.finditer(thing.text)]
    terms_in_text = [(match, match[0], "term") for match in _TERM.finditer(thing.text)]
    related = (Related("these effects", ("earn",) if isinstance(thing, Mission) else ("effects",)),)
    wrong = [
        each
        for each in (*numbers_in_text, *terms_in_text)
        if each[1] not in (numbers if each[2] == "number" else terms)
    ]
    advice = f"the effects say: {effects_text}"
    for match, value, sort in wrong:
        yield Finding(
            f"the {sort} {value} is in the text, but not in the effects",
            ("text",),
            help=advice,
            text_range=match.span(),
            related=related,
        )
    told, meant = ([*told_changes(text, _TERMS)] for text in (thing.text, effects_text))
    for term, amount, place in told if not wrong else ():
        given = {each for name, each, _ in meant if name == term}
        if given and given.isdisjoint(each for name, each, _ in told if name == term):
            message = (
                f"the text says {amount:+} {term}, and the effects say {' and '.join(f'{each:+}' for each in given)}"
            )
            yield Finding(message, ("text",), help=advice, text_range=place, related=related)
    missing = sorted((numbers | terms) - {value for _, value, _ in (*numbers_in_text, *terms_in_text)} - {"1"})
    if missing and not wrong:
        yield Finding(
            f"the effects say {', '.join(missing)}, but the text does not", ("text",), help=advice, related=related
        )


def _in_figures(match: re.Match[str]) -> str:
    """Return the number in digits, whether it is a word or already in digits."""
    return match[1] or str(NUMBER_WORDS.index(match[2].lower()))
