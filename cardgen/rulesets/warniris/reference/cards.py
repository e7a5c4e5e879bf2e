"""Cards on a sheet: selection, stat letters, tables, and text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Literal

from cardgen.game import (
    Block,
    Card,
    ContentProvider,
    Field,
    Flag,
    GameData,
    GlossaryTerm,
    Model,
    NoOptions,
    NotAvailableError,
    Table,
    Text,
    definition_list,
    find_each,
    rows_table,
    table,
    text_entries,
)
from cardgen.rulesets.warniris.cards import Ability, Character, Minion, Stats, Warband
from cardgen.rulesets.warniris.effect import Weapon
from cardgen.rulesets.warniris.weapon_line import NUMBER_LETTERS, WEAPON_TYPES
from cardgen.rulesets.warniris.wording import describe, once_label

FighterCard = Character | Minion
FighterKind = Literal["character", "minion"]
FIGHTER_KINDS: tuple[FighterKind, ...] = ("character", "minion")


class KindOptions(Model):
    """Options that select cards; a warband's sheet shows only its own without `all`."""

    kind: Annotated[Text, Field(description="character, minion, relic, or mission")]
    only: Annotated[tuple[Text, ...], Field(description="ids or names")] = ()
    all: Annotated[Flag, Field(description="include cards outside the warband")] = False


class FighterKindOptions(KindOptions):
    """Options that select Characters or Minions."""

    kind: FighterKind = "character"


def select_cards(options: KindOptions, data: GameData) -> tuple[Card, ...]:
    """Return the selected cards. Raise NotAvailableError for an unknown kind or name."""
    printed = [name for name, kind in data.rules.kinds.items() if kind.is_printed]
    if options.kind not in printed:
        raise NotAvailableError.unknown("kind of card", options.kind, printed, ("kind",))
    names = _names_in(data.card_list, options.kind) if isinstance(data.card_list, Warband) and not options.all else None
    return data.select(options.kind, options.only, names)


def _names_in(warband: Warband, kind: str) -> Iterable[str | None] | None:
    """Return the cards of a kind that a warband lists; None for missions."""
    names: dict[str, Iterable[str | None]] = {
        "character": (member.character for member in warband.members),
        "relic": (member.relic for member in warband.members),
        "minion": (troop.minion for troop in warband.minions),
    }
    return names.get(kind)


def select_fighters(options: KindOptions, data: GameData) -> tuple[FighterCard, ...]:
    """Return the selected fighters."""
    return tuple(card for card in select_cards(options, data) if isinstance(card, Character | Minion))


TYPE_NAMES = {"CW": "Combat Weapon", "RW": "Ranged Weapon", "P": "Power"}


def _characteristic_letters(_: NoOptions, data: GameData) -> Iterator[Block]:
    yield _letter_table(((letters[0], name.capitalize()) for name, letters in Stats.SYNONYMS.items()), data)


def _number_letters(_: NoOptions, data: GameData) -> Iterator[Block]:
    yield _letter_table(((letter, name.capitalize()) for letter, (name, _limit) in NUMBER_LETTERS.items()), data)


def _type_letters(_: NoOptions, data: GameData) -> Iterator[Block]:
    yield _letter_table(((letter, TYPE_NAMES[letter]) for letter in WEAPON_TYPES), data)


def _letter_table(letters: Iterable[tuple[str, str]], data: GameData) -> Table:
    """Return a table of letters, the terms they stand for, and their definitions."""
    rows = ((letter, f"**{name}**\u2002{_definition(letter, name, data)}") for letter, name in letters)
    return table(("", ""), rows, "ll")


def _definition(letter: str, name: str, data: GameData) -> str:
    """Return the definition of a term without its letter, which has its own cell."""
    text = data.term(name).definition.removeprefix(f"{letter}: ")
    return text[0].upper() + text[1:]


LETTER_PROVIDERS = {
    "characteristics": ContentProvider(
        _characteristic_letters, "the letters of the characteristics and their meanings"
    ),
    "weapon-numbers": ContentProvider(_number_letters, "the letters in the line of a weapon and their meanings"),
    "weapon-types": ContentProvider(_type_letters, "the weapon types CW, RW, and P"),
}


_NO_VALUE = "–"


class TermOptions(Model):
    """Terms to list in addition to those on the cards in play."""

    terms: Annotated[tuple[Text, ...], Field(description="terms of the glossary")] = ()


def _stat_table(options: FighterKindOptions, data: GameData) -> Iterator[Block]:
    """Yield a table of characteristics."""
    cards = select_fighters(options, data)
    if cards:
        head = ("", *(letter for letter, _ in cards[0].stats.printed))
        yield table(head, ((card.name, *(str(value) for _, value in card.stats.printed)) for card in cards))


def _weapon_table(options: FighterKindOptions, data: GameData) -> Iterator[Block]:
    """Yield a table of weapons and Powers, with their effects below it."""
    weapons = [(card, weapon) for card in select_fighters(options, data) for weapon in card.weapons]
    letters = [letter for letter in NUMBER_LETTERS if any(_number_of(weapon, letter) for _, weapon in weapons)]
    rows = (
        (weapon_label(card, weapon), weapon.type, *(_number_cell(weapon, letter) for letter in letters))
        for card, weapon in weapons
    )
    yield from rows_table(("Weapon or Power", "T", *letters), rows)
    texts = {weapon.name: describe(weapon) for _, weapon in weapons if describe(weapon)}
    yield from text_entries(texts.items())


def weapon_label(card: FighterCard, weapon: Weapon) -> str:
    """Return the marked-up names of a weapon and its owner."""
    return f"**{weapon.name}** *{card.name}*"


def _number_of(weapon: Weapon, letter: str) -> int:
    value: int = getattr(weapon, NUMBER_LETTERS[letter][0])
    return value


def _number_cell(weapon: Weapon, letter: str) -> str:
    return str(_number_of(weapon, letter) or _NO_VALUE)


def _card_entries(options: KindOptions, data: GameData) -> Iterator[Block]:
    """Yield each card with its printed text."""
    return text_entries((_heading(card), _card_text(card)) for card in select_cards(options, data))


def _heading(card: Card) -> str:
    number = getattr(card, "number", None)
    return f"{number} {card.name}" if number else card.name


def _card_text(card: Card) -> str:
    """Return the marked-up text of a card."""
    if isinstance(card, Character | Minion):
        stats = " ".join(f"{letter}\u00a0{value}" for letter, value in card.stats.printed)
        lines = "; ".join(f"{weapon.name} {weapon.type} {weapon.numbers}" for weapon in card.weapons)
        return " ".join(filter(None, (f"{stats}.", f"{lines}." if lines else "", *_ability_texts(card))))
    points = f" **{card.vp}\u00a0VP**" if hasattr(card, "vp") else ""
    return f"{_once_prefix(card)}{describe(card)}{points}"


def _ability_texts(card: FighterCard) -> Iterator[str]:
    for ability in getattr(card, "abilities", ()):
        yield f"**{ability.name}**: {_once_prefix(ability)}{describe(ability)}"


def _once_prefix(thing: Card | Ability) -> str:
    label = once_label(thing)
    return f"*{label}.* " if label else ""


def _ability_entries(options: FighterKindOptions, data: GameData) -> Iterator[Block]:
    """Yield abilities, each with the name of its Character."""
    return text_entries(
        (ability.name, f"*{card.name}.* {_once_prefix(ability)}{describe(ability)}")
        for card in select_fighters(options, data)
        for ability in getattr(card, "abilities", ())
    )


def _carried_relics(_: NoOptions, data: GameData) -> Iterator[Block]:
    """Yield the relics of a warband, with their bearers."""
    members = data.card_list.members if isinstance(data.card_list, Warband) else ()
    entries = []
    for member in members:
        if member.relic:
            relic, bearer = data.find("relic", member.relic), data.find("character", member.character)
            entries.append((relic.name, f"*{bearer.name}.* {_card_text(relic)}"))
    return text_entries(entries)


def _terms_on_cards(options: TermOptions, data: GameData) -> Iterator[Block]:
    """Yield the terms on the cards of a warband, in glossary order."""
    always = {term.name for term in find_each(options.terms, data.term, "terms")}
    words = f" {' '.join(_printed_words(data))} "
    terms = [t for t in data.rules.terms if t.name in always or any(f" {form} " in words for form in _written_forms(t))]
    yield definition_list(terms)


def _written_forms(term: GlossaryTerm) -> tuple[str, ...]:
    """Return the forms of a term as cards print them; everyday words may have a small letter."""
    return (*term.forms, *(form[0].lower() + form[1:] for form in term.everyday))


def _printed_words(data: GameData) -> Iterator[str]:
    """Yield the words on the cards in play, without markup."""
    for kind in ("character", "minion", "relic"):
        for card in select_cards(KindOptions(kind=kind), data):
            weapons: Sequence[Weapon] = getattr(card, "weapons", ())
            used = (f"{TYPE_NAMES[weapon.type]} {describe(weapon)}" for weapon in weapons)
            joined = " ".join((_card_text(card), *used))
            yield "".join(letter if letter.isalnum() or letter in "-'’" else " " for letter in joined)


CARD_PROVIDERS = {
    "stats": ContentProvider(_stat_table, "a table of characteristics, one fighter per row", FighterKindOptions),
    "weapons": ContentProvider(_weapon_table, "a table of weapons and Powers, one per row", FighterKindOptions),
    "cards": ContentProvider(_card_entries, "cards of a kind, with their text", KindOptions),
    "abilities": ContentProvider(_ability_entries, "abilities and their effects", FighterKindOptions),
    "relics-borne": ContentProvider(_carried_relics, "the relics of a warband and their bearers"),
    "terms-in-play": ContentProvider(_terms_on_cards, "the terms that appear on the cards of a warband", TermOptions),
}
