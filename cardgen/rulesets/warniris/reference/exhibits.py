"""What a sheet can show of Warniris: its characteristics and weapons, its cards, and odds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Literal

from pydantic import Field

from cardgen.model.base import Flag, Model, Text
from cardgen.model.card import Card
from cardgen.reference.quoting import plain
from cardgen.reference.sources import RefusedError
from cardgen.reference.tree import Block, Terms
from cardgen.rulesets.reference import Exhibit, Knowledge, NoOptions, table
from cardgen.rulesets.reference import terms as terms_block
from cardgen.rulesets.warniris.kinds import Ability, Character, Minion, Stats, Warband, Weapon
from cardgen.rulesets.warniris.profile import LETTERS, TYPES
from cardgen.rulesets.warniris.reference import odds
from cardgen.rulesets.warniris.wording import describe, once_label

TYPE_NAMES = {"CW": "Combat Weapon", "RW": "Ranged Weapon", "P": "Power"}
Fighting = Literal["character", "minion"]
_NONE = "–"


class CardOptions(Model):
    """Which cards: those of a kind, and of them the named ones; on a warband's sheet its own unless `all` is true."""

    kind: Annotated[Text, Field(description="character, minion, relic or mission")]
    only: Annotated[tuple[Text, ...], Field(description="ids or names")] = ()
    all: Annotated[Flag, Field(description="also those that are not in the warband")] = False


class FighterOptions(CardOptions):
    """Which of those that fight."""

    kind: Fighting = "character"


def chosen(options: CardOptions, known: Knowledge) -> tuple[Card, ...]:
    """The cards that are asked for. Raises RefusedError for a kind or a name that there is not."""
    if options.kind not in known.cards or not known.rules.kinds[options.kind].printed:
        printed = [name for name, kind in known.rules.kinds.items() if kind.printed]
        raise RefusedError.unknown("kind of card", options.kind, printed, ("kind",))
    if options.only:
        found = []
        for number, name in enumerate(options.only):
            try:
                found.append(known.find(options.kind, name))
            except RefusedError as error:
                raise RefusedError(error.message, error.help, ("only", number)) from None
        return tuple(found)
    if isinstance(known.of, Warband) and not options.all and options.kind != "mission":
        return tuple(in_play(known.of, options.kind, known))
    return known.cards[options.kind]


def in_play(warband: Warband, kind: str, known: Knowledge) -> Iterator[Card]:
    """The cards of a kind that a warband has, each once."""
    names: dict[str, Iterable[str | None]] = {
        "character": (member.character for member in warband.members),
        "relic": (member.relic for member in warband.members),
        "minion": (troop.minion for troop in warband.minions),
    }
    for name in dict.fromkeys(filter(None, names.get(kind, ()))):
        yield known.find(kind, name)


def fighters(options: CardOptions, known: Knowledge) -> tuple[Character | Minion, ...]:
    """The fighters that are asked for."""
    return tuple(card for card in chosen(options, known) if isinstance(card, Character | Minion))


def _characteristics(_: NoOptions, known: Knowledge) -> Iterator[Block]:
    """Each characteristic: its letter, its name, and what it does."""
    rows = []
    for name, (letter, *_rest) in Stats.SYNONYMS.items():
        term = known.term(name.capitalize())
        rows.append((letter, f"**{term.name}**  {term.definition}"))
    yield table(("", "Characteristic"), rows, "ll")


def _numbers(_: NoOptions, known: Knowledge) -> Iterator[Block]:
    """The letters of a weapon's line."""
    rows = [("T", f"**Type**  {', '.join(TYPES[:-1])} or {TYPES[-1]}: see below. There is no other.")]
    for letter, (name, _limit) in LETTERS.items():
        term = known.term(name.capitalize())
        rows.append((letter, f"**{term.name}**  {term.definition}"))
    yield table(("", "On the line"), rows, "ll")


def _types(_: NoOptions, known: Knowledge) -> Iterator[Block]:
    """The types of weapon."""
    yield Terms(
        tuple((f"{letter}, {TYPE_NAMES[letter]}", plain(_without(known.term(TYPE_NAMES[letter]).definition, letter)))
              for letter in TYPES)
    )  # fmt: skip


def _without(definition: str, letter: str) -> str:
    """A definition that begins with the letter itself, without it."""
    text = definition.removeprefix(f"{letter}: ")
    return text[0].upper() + text[1:]


def _stats(options: FighterOptions, known: Knowledge) -> Iterator[Block]:
    """A table of characteristics."""
    found = fighters(options, known)
    if found:
        head = ("", *(letter for letter, _ in found[0].stats.printed))
        yield table(head, ((card.name, *(str(value) for _, value in card.stats.printed)) for card in found))


def _weapons(options: FighterOptions, known: Knowledge) -> Iterator[Block]:
    """A table of the weapons and powers of fighters; what they do beside is told below it."""
    found = [(card, weapon) for card in fighters(options, known) for weapon in card.weapons]
    if not found:
        return
    letters = [letter for letter in LETTERS if any(_value(weapon, letter) for _, weapon in found)]
    rows = (
        (f"**{weapon.name}**  *{card.name}*", weapon.type, *(_number(weapon, letter) for letter in letters))
        for card, weapon in found
    )
    yield table(("Weapon or Power", "T", *letters), rows).plain_first()
    told = {weapon.name: describe(weapon) for _, weapon in found if describe(weapon)}
    if told:
        yield Terms(tuple((name, plain(text)) for name, text in told.items()))


def _value(weapon: Weapon, letter: str) -> int:
    value: int = getattr(weapon, LETTERS[letter][0])
    return value


def _number(weapon: Weapon, letter: str) -> str:
    return str(_value(weapon, letter) or _NONE)


def _cards(options: CardOptions, known: Knowledge) -> Iterator[Block]:
    """Cards in a line each: what is printed on them."""
    entries = [(_headed(card), plain(_told(card))) for card in chosen(options, known)]
    if entries:
        yield Terms(tuple(entries))


def _headed(card: Card) -> str:
    number = getattr(card, "number", None)
    return f"{number}  {card.name}" if number else card.name


def _told(card: Card) -> str:
    """What a card says, in a line."""
    if isinstance(card, Character | Minion):
        stats = " ".join(f"{letter} {value}" for letter, value in card.stats.printed)
        lines = "; ".join(weapon_line(weapon) for weapon in card.weapons)
        return " ".join(filter(None, (f"{stats}.", f"{lines}." if lines else "", *_abilities_of(card))))
    points = f" **{card.vp} VP**" if hasattr(card, "vp") else ""
    return f"{_once(card)}{describe(card)}{points}"


def _abilities_of(card: Character | Minion) -> Iterator[str]:
    for ability in getattr(card, "abilities", ()):
        yield f"**{ability.name}**: {_once(ability)}{describe(ability)}"


def _once(thing: Card | Ability) -> str:
    label = once_label(thing)
    return f"*{label}.* " if label else ""


def weapon_line(weapon: Weapon) -> str:
    """'Rifle RW R15 P1 D1', as cards print it."""
    return f"{weapon.name} {weapon.type} {weapon.numbers}"


def _abilities(options: FighterOptions, known: Knowledge) -> Iterator[Block]:
    """The abilities of characters."""
    found = [(card, ability) for card in fighters(options, known) for ability in getattr(card, "abilities", ())]
    if found:
        yield Terms(
            tuple(
                (ability.name, plain(f"*{card.name}.* {_once(ability)}{describe(ability)}")) for card, ability in found
            )
        )


class TermOptions(Model):
    """Terms that are always there, beside those that the cards in play need."""

    terms: Annotated[tuple[Text, ...], Field(description="terms of the glossary")] = ()


def _terms_in_play(options: TermOptions, known: Knowledge) -> Iterator[Block]:
    """The terms that the cards of a warband need."""
    words = " ".join(_words(known))
    wanted = set(options.terms)
    for number, name in enumerate(options.terms):
        try:
            known.term(name)
        except RefusedError as error:
            raise RefusedError(error.message, error.help, ("terms", number)) from None
    found = [t for t in known.rules.glossary if t.name in wanted or any(_stands(form, words) for form in t.forms)]
    yield terms_block(found)


def _stands(form: str, words: str) -> bool:
    return f" {form} " in f" {words} "


def _words(known: Knowledge) -> Iterator[str]:
    """All words on the cards in play, without marks."""
    for kind in ("character", "minion", "relic"):
        for card in chosen(CardOptions(kind=kind), known):
            text = _told(card)
            types = (TYPE_NAMES[weapon.type] for weapon in getattr(card, "weapons", ()))
            effects: Sequence[str] = [describe(weapon) for weapon in getattr(card, "weapons", ())]
            joined = " ".join((text, *types, *effects))
            yield "".join(letter if letter.isalnum() or letter in "-'’" else " " for letter in joined)


EXHIBITS = {
    "characteristics": Exhibit(_characteristics, "the letters of a fighter and what each does"),
    "weapon-numbers": Exhibit(_numbers, "the letters of a weapon's line and what each does"),
    "weapon-types": Exhibit(_types, "CW, RW and P"),
    "stats": Exhibit(_stats, "a table of characteristics, one fighter a row", FighterOptions),
    "weapons": Exhibit(_weapons, "a table of weapons and powers, one a row", FighterOptions),
    "cards": Exhibit(_cards, "cards of a kind, with what is printed on them", CardOptions),
    "abilities": Exhibit(_abilities, "abilities and what they do", FighterOptions),
    "terms-in-play": Exhibit(_terms_in_play, "the terms that the cards of a warband need", TermOptions),
    "odds-of-success": Exhibit(odds.success, "chances of a Test by attribute and Penetration", odds.SuccessOptions),
    "odds-of-wounding": Exhibit(odds.wounding, "chances of every weapon against every target", odds.WoundingOptions),
}
