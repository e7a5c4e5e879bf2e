"""Cards on a sheet: fighters and weapons in tables, and what is printed on other cards, in lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

from pydantic import Field

from cardgen.model.base import Flag, Model, Text
from cardgen.model.card import Card, slug
from cardgen.reference.quoting import plain
from cardgen.reference.sources import RefusedError
from cardgen.reference.tree import Block, Terms
from cardgen.rulesets.reference import Exhibit, Knowledge, each_called, table
from cardgen.rulesets.warcry.kinds import Ability, Blessing, Fighter, Trait, Warband
from cardgen.rulesets.warcry.runemarks import ALLIANCES, FACTIONS, alliance_of
from cardgen.rulesets.warcry.wording import describe, once_label

FIGHTER, UNIVERSAL = Fighter.KIND, "universal"


class CardOptions(Model):
    """Which cards: those of a kind, and of them the named ones or those with a tag; on a warband's sheet its own."""

    kind: Annotated[Text, Field(description="ability, trait or blessing")]
    only: Annotated[tuple[Text, ...], Field(description="ids or names")] = ()
    tag: Annotated[Text | None, Field(description="only those with this tag")] = None
    price: Annotated[Text | None, Field(description="only abilities of this price")] = None


class FighterOptions(Model):
    """Which fighters; on a warband's sheet its own unless `all` is true."""

    only: Annotated[tuple[Text, ...], Field(description="ids or names")] = ()
    all: Annotated[Flag, Field(description="also those that are not in the warband")] = False


class TraitOptions(Model):
    """Whose battle traits; on a warband's sheet those of its own runemarks."""

    runemark: Annotated[Text | None, Field(description="a faction or a grand alliance")] = None


def fighters(options: FighterOptions, known: Knowledge) -> tuple[Fighter, ...]:
    """The fighters that are asked for, each once."""
    if options.only:
        found: Iterable[Card] = each_called(options.only, lambda name: known.find(FIGHTER, name), "only")
    elif isinstance(known.of, Warband) and not options.all:
        found = (known.find(FIGHTER, name) for name in dict.fromkeys(member.fighter for member in known.of.members))
    else:
        found = known.cards.get(FIGHTER, ())
    return tuple(card for card in found if isinstance(card, Fighter))


def _fighters(options: FighterOptions, known: Knowledge) -> Iterator[Block]:
    """A table of characteristics."""
    rows = [
        (f"**{card.name}** {_icons(card)}", *map(str, (*card.stats.model_dump().values(), card.points)))
        for card in fighters(options, known)
    ]
    if rows:
        yield table(("", "Move", "Tough.", "Wounds", "Points"), rows).plain_first()


def _icons(card: Fighter) -> str:
    return " ".join(f"{{{mark}}}" for mark in card.runemarks)


def _roster(_: FighterOptions, known: Knowledge) -> Iterator[Block]:
    """The lines of a warband: fighter, blessing, how many, and what they cost."""
    if not isinstance(known.of, Warband):
        return
    rows, total = [], 0
    for member in known.of.members:
        fighter = known.find(FIGHTER, member.fighter)
        blessing = known.find("blessing", member.blessing) if member.blessing else None
        assert isinstance(fighter, Fighter)
        points = fighter.points + (blessing.price(fighter) if isinstance(blessing, Blessing) else 0)
        total += points * member.qty
        leads = " *leads*" if member.leader else ""
        rows.append((f"{fighter.name}{leads}", blessing.name if blessing else "", str(member.qty), str(points)))
    rows.append(("**Together**", "", "", f"**{total}** of {known.of.limit}"))
    yield table(("Fighter", "Blessing", "", "Points"), rows).plain_first()


def _weapons(options: FighterOptions, known: Knowledge) -> Iterator[Block]:
    """A table of weapons, one a row."""
    rows = [
        (
            f"{{{weapon.icon}}} **{weapon.name}** *{card.name}*",
            weapon.reach,
            str(weapon.attacks),
            str(weapon.strength),
            f"{weapon.damage}/{weapon.critical}",
        )
        for card in fighters(options, known)
        for weapon in card.weapons
    ]
    if rows:
        yield table(("Weapon", "Rng", "A", "S", "D"), rows).plain_first()


def _cards(options: CardOptions, known: Knowledge) -> Iterator[Block]:
    """Cards with what is printed on them."""
    kinds = (Ability.KIND, Trait.KIND, Blessing.KIND)
    if options.kind not in kinds:
        raise RefusedError.unknown("kind of card", options.kind, kinds, ("kind",))
    cards: Iterable[Card] = known.cards.get(options.kind, ())
    if options.only:
        cards = each_called(options.only, lambda name: known.find(options.kind, name), "only")
    found = [card for card in cards if _wanted(card, options, known)]
    if found:
        yield _told(found)


def _wanted(card: Card, options: CardOptions, known: Knowledge) -> bool:
    if options.only:
        return True
    if isinstance(card, Ability):
        if options.price and card.price != options.price:
            return False
        if isinstance(known.of, Warband) and not options.tag and not _usable(card, known):
            return False
    return options.tag is None or options.tag in card.tags


def _usable(ability: Ability, known: Knowledge) -> bool:
    """Whether some fighter of the warband has all the runemarks that an ability asks for, and it asks for any."""
    people = fighters(FighterOptions(), known)
    marks = set(ability.runemarks)
    return (
        bool(marks)
        and UNIVERSAL not in ability.tags
        and any(marks <= {card.faction, card.alliance, *card.runemarks} for card in people)
    )


def _traits(options: TraitOptions, known: Knowledge) -> Iterator[Block]:
    """The battle traits that a warband may choose from: its faction's, and its grand alliance's."""
    marks = _runemarks(options, known)
    found = [card for card in known.cards.get(Trait.KIND, ()) if isinstance(card, Trait) and card.runemark in marks]
    if found:
        in_order = sorted((marks.index(card.runemark), card.name, card) for card in found)
        yield _told(card for _, _, card in in_order)


def _runemarks(options: TraitOptions, known: Knowledge) -> list[str]:
    if options.runemark is not None:
        mark = slug(options.runemark)
        if mark not in FACTIONS and mark not in ALLIANCES:
            raise RefusedError.unknown("runemark", options.runemark, [*ALLIANCES, *FACTIONS], ("runemark",))
        return list(dict.fromkeys((mark, alliance_of(mark))))
    people = fighters(FighterOptions(), known) if isinstance(known.of, Warband) else ()
    shared = [{card.faction for card in people}, {card.alliance for card in people}]
    return [mark for marks in shared if len(marks) == 1 for mark in marks if mark]


def _told(cards: Iterable[Card]) -> Terms:
    return Terms(tuple((_headed(card), plain(_said(card))) for card in cards))


def _headed(card: Card) -> str:
    if isinstance(card, Trait):
        return f"{card.name} ({card.runemark_name})"
    return card.name


def _said(card: Card) -> str:
    """What a card says, marked up, in one paragraph."""
    parts = []
    if isinstance(card, Ability):
        who = " ".join(f"{{{mark}}}" for mark, _ in card.names)
        parts.append(f"{{{card.price}}} {who}".strip())
    if isinstance(card, Blessing):
        parts.append(f"**{card.points.regular}/{card.points.elite}**")
    if once_label(card):
        parts.append(f"*{once_label(card)}.*")
    parts.append(describe(card))
    for rule in (*getattr(card, "choices", ()), *getattr(card, "grants", ())):
        price = f"{{{rule.price}}} " if rule.price else ""
        parts.append(f"{price}**{rule.name}:** {describe(rule)}")
    return " ".join(filter(None, parts))


EXHIBITS = {
    "fighters": Exhibit(_fighters, "a table of characteristics, one fighter a row", FighterOptions),
    "roster": Exhibit(_roster, "the lines of a warband, with blessings and points", FighterOptions),
    "weapons": Exhibit(_weapons, "a table of weapons, one a row", FighterOptions),
    "cards": Exhibit(_cards, "abilities, battle traits or blessings, with what is printed on them", CardOptions),
    "traits": Exhibit(_traits, "the battle traits of a faction and its grand alliance", TraitOptions),
}
