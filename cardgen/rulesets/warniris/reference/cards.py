"""Cards on a sheet: tables of fighters and weapons, and what is printed on cards, in lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import Field

from cardgen.model.base import Model, Text
from cardgen.model.card import Card
from cardgen.reference.quoting import plain
from cardgen.reference.tree import Block, Terms
from cardgen.rulesets.reference import Exhibit, Knowledge, NoOptions, each_called, table
from cardgen.rulesets.reference import terms as terms_block
from cardgen.rulesets.warniris.kinds import Ability, Character, Minion, Warband, Weapon
from cardgen.rulesets.warniris.profile import LETTERS
from cardgen.rulesets.warniris.reference.choosing import CardOptions, Fighter, FighterOptions, chosen, fighters
from cardgen.rulesets.warniris.reference.letters import TYPE_NAMES
from cardgen.rulesets.warniris.wording import describe, once_label

_NONE = "–"


class TermOptions(Model):
    """Terms that are always there, beside those that the cards in play need."""

    terms: Annotated[tuple[Text, ...], Field(description="terms of the glossary")] = ()


def _stats(options: FighterOptions, known: Knowledge) -> Iterator[Block]:
    """A table of characteristics."""
    found = fighters(options, known)
    if found:
        head = ("", *(letter for letter, _ in found[0].stats.printed))
        yield table(head, ((card.name, *(str(value) for _, value in card.stats.printed)) for card in found))


def _weapons(options: FighterOptions, known: Knowledge) -> Iterator[Block]:
    """A table of weapons and Powers; what they do beside their line is told below it."""
    found = [(card, weapon) for card in fighters(options, known) for weapon in card.weapons]
    if not found:
        return
    letters = [letter for letter in LETTERS if any(_value(weapon, letter) for _, weapon in found)]
    rows = (
        (armed(card, weapon), weapon.type, *(_number(weapon, letter) for letter in letters)) for card, weapon in found
    )
    yield table(("Weapon or Power", "T", *letters), rows).plain_first()
    told = {weapon.name: describe(weapon) for _, weapon in found if describe(weapon)}
    if told:
        yield Terms(tuple((name, plain(text)) for name, text in told.items()))


def armed(card: Fighter, weapon: Weapon) -> str:
    """A weapon and whose it is, marked up."""
    return f"**{weapon.name}** *{card.name}*"


def _value(weapon: Weapon, letter: str) -> int:
    value: int = getattr(weapon, LETTERS[letter][0])
    return value


def _number(weapon: Weapon, letter: str) -> str:
    return str(_value(weapon, letter) or _NONE)


def _cards(options: CardOptions, known: Knowledge) -> Iterator[Block]:
    """Each card with what is printed on it."""
    entries = tuple((_headed(card), plain(_told(card))) for card in chosen(options, known))
    if entries:
        yield Terms(entries)


def _headed(card: Card) -> str:
    number = getattr(card, "number", None)
    return f"{number} {card.name}" if number else card.name


def _told(card: Card) -> str:
    """What a card says, marked up."""
    if isinstance(card, Character | Minion):
        stats = " ".join(f"{letter}\u00a0{value}" for letter, value in card.stats.printed)
        lines = "; ".join(f"{weapon.name} {weapon.type} {weapon.numbers}" for weapon in card.weapons)
        return " ".join(filter(None, (f"{stats}.", f"{lines}." if lines else "", *_skills(card))))
    points = f" **{card.vp}\u00a0VP**" if hasattr(card, "vp") else ""
    return f"{_once(card)}{describe(card)}{points}"


def _skills(card: Fighter) -> Iterator[str]:
    for ability in getattr(card, "abilities", ()):
        yield f"**{ability.name}**: {_once(ability)}{describe(ability)}"


def _once(thing: Card | Ability) -> str:
    label = once_label(thing)
    return f"*{label}.* " if label else ""


def _abilities(options: FighterOptions, known: Knowledge) -> Iterator[Block]:
    """Abilities, with whose they are."""
    found = [(card, ability) for card in fighters(options, known) for ability in getattr(card, "abilities", ())]
    entries = ((a.name, plain(f"*{card.name}.* {_once(a)}{describe(a)}")) for card, a in found)
    if found:
        yield Terms(tuple(entries))


def _relics_borne(_: NoOptions, known: Knowledge) -> Iterator[Block]:
    """The relics of a warband, with who bears them."""
    members = known.of.members if isinstance(known.of, Warband) else ()
    entries = []
    for member in members:
        if member.relic:
            relic, bearer = known.find("relic", member.relic), known.find("character", member.character)
            entries.append((relic.name, plain(f"*{bearer.name}.* {_told(relic)}")))
    if entries:
        yield Terms(tuple(entries))


def _terms_in_play(options: TermOptions, known: Knowledge) -> Iterator[Block]:
    """The terms that stand on the cards of a warband, in the order of the glossary."""
    always = {term.name for term in each_called(options.terms, known.term, "terms")}
    words = f" {' '.join(_words(known))} "
    found = [t for t in known.rules.glossary if t.name in always or any(f" {form} " in words for form in t.forms)]
    yield terms_block(found)


def _words(known: Knowledge) -> Iterator[str]:
    """All words on the cards in play, without marks."""
    for kind in ("character", "minion", "relic"):
        for card in chosen(CardOptions(kind=kind), known):
            weapons: Sequence[Weapon] = getattr(card, "weapons", ())
            used = (f"{TYPE_NAMES[weapon.type]} {describe(weapon)}" for weapon in weapons)
            joined = " ".join((_told(card), *used))
            yield "".join(letter if letter.isalnum() or letter in "-'’" else " " for letter in joined)


EXHIBITS = {
    "stats": Exhibit(_stats, "a table of characteristics, one fighter a row", FighterOptions),
    "weapons": Exhibit(_weapons, "a table of weapons and Powers, one a row", FighterOptions),
    "cards": Exhibit(_cards, "cards of a kind, with what is printed on them", CardOptions),
    "abilities": Exhibit(_abilities, "abilities and what they do", FighterOptions),
    "relics-borne": Exhibit(_relics_borne, "the relics of a warband, with who bears them"),
    "terms-in-play": Exhibit(_terms_in_play, "the terms that stand on the cards of a warband", TermOptions),
}
