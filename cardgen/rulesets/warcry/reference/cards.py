"""Cards on a sheet: tables of fighters and weapons, and the text of other cards in lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

from cardgen.game import (
    Block,
    Card,
    ContentProvider,
    DefinitionList,
    Field,
    Flag,
    GameData,
    Model,
    NotAvailableError,
    Text,
    find_each,
    rich_text,
    slugify,
    table,
)
from cardgen.rulesets.warcry.cards import Ability, Blessing, Fighter, Trait, Warband
from cardgen.rulesets.warcry.changes import describe, once_label
from cardgen.rulesets.warcry.runemarks import ALLIANCES, FACTIONS, alliance_of

FIGHTER, UNIVERSAL = Fighter.KIND, "universal"


class RuleCardOptions(Model):
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


def fighters(options: FighterOptions, data: GameData) -> tuple[Fighter, ...]:
    """The fighters that are asked for, each once."""
    if options.only:
        cards: Iterable[Card] = find_each(options.only, lambda name: data.find(FIGHTER, name), "only")
    elif isinstance(data.card_list, Warband) and not options.all:
        cards = (
            data.find(FIGHTER, name) for name in dict.fromkeys(member.fighter for member in data.card_list.members)
        )
    else:
        cards = data.cards.get(FIGHTER, ())
    return tuple(card for card in cards if isinstance(card, Fighter))


def _fighter_table(options: FighterOptions, data: GameData) -> Iterator[Block]:
    """A table of characteristics."""
    rows = [
        (f"**{card.name}** {_icons(card)}", *map(str, (*card.stats.model_dump().values(), card.points)))
        for card in fighters(options, data)
    ]
    if rows:
        yield table(("", "Move", "Tough.", "Wounds", "Points"), rows).without_row_headers()


def _icons(card: Fighter) -> str:
    return " ".join(f"{{{mark}}}" for mark in card.runemarks)


def _roster_table(_: FighterOptions, data: GameData) -> Iterator[Block]:
    """The lines of a warband: fighter, blessing, how many, and what they cost."""
    if not isinstance(data.card_list, Warband):
        return
    rows, total = [], 0
    for member in data.card_list.members:
        fighter = data.find(FIGHTER, member.fighter)
        blessing = data.find("blessing", member.blessing) if member.blessing else None
        assert isinstance(fighter, Fighter)
        points = fighter.points + (blessing.price(fighter) if isinstance(blessing, Blessing) else 0)
        total += points * member.qty
        leads = " *leads*" if member.leader else ""
        rows.append((f"{fighter.name}{leads}", blessing.name if blessing else "", str(member.qty), str(points)))
    rows.append(("**Together**", "", "", f"**{total}** of {data.card_list.limit}"))
    yield table(("Fighter", "Blessing", "", "Points"), rows).without_row_headers()


def _weapon_table(options: FighterOptions, data: GameData) -> Iterator[Block]:
    """A table of weapons, one a row."""
    rows = [
        (
            f"{{{weapon.icon}}} **{weapon.name}** *{card.name}*",
            weapon.reach,
            str(weapon.attacks),
            str(weapon.strength),
            f"{weapon.damage}/{weapon.critical}",
        )
        for card in fighters(options, data)
        for weapon in card.weapons
    ]
    if rows:
        yield table(("Weapon", "Rng", "A", "S", "D"), rows).without_row_headers()


def _card_entries(options: RuleCardOptions, data: GameData) -> Iterator[Block]:
    """Cards with what is printed on them."""
    kinds = (Ability.KIND, Trait.KIND, Blessing.KIND)
    if options.kind not in kinds:
        raise NotAvailableError.unknown("kind of card", options.kind, kinds, ("kind",))
    cards: Iterable[Card] = data.cards.get(options.kind, ())
    if options.only:
        cards = find_each(options.only, lambda name: data.find(options.kind, name), "only")
    chosen = [card for card in cards if _is_wanted(card, options, data)]
    if chosen:
        yield _definition_list(chosen)


def _is_wanted(card: Card, options: RuleCardOptions, data: GameData) -> bool:
    if options.only:
        return True
    if isinstance(card, Ability):
        if options.price and card.price != options.price:
            return False
        if isinstance(data.card_list, Warband) and not options.tag and not _is_usable(card, data):
            return False
    return options.tag is None or options.tag in card.tags


def _is_usable(ability: Ability, data: GameData) -> bool:
    """Whether some fighter of the warband has all the runemarks that an ability asks for, and it asks for any."""
    people = fighters(FighterOptions(), data)
    marks = set(ability.runemarks)
    return (
        bool(marks)
        and UNIVERSAL not in ability.tags
        and any(marks <= {card.faction, card.alliance, *card.runemarks} for card in people)
    )


def _trait_entries(options: TraitOptions, data: GameData) -> Iterator[Block]:
    """The battle traits that a warband may choose from: its faction's, and its grand alliance's."""
    marks = _runemarks(options, data)
    chosen = [card for card in data.cards.get(Trait.KIND, ()) if isinstance(card, Trait) and card.runemark in marks]
    if chosen:
        ordered = sorted((marks.index(card.runemark), card.name, card) for card in chosen)
        yield _definition_list(card for _, _, card in ordered)


def _runemarks(options: TraitOptions, data: GameData) -> list[str]:
    if options.runemark is not None:
        mark = slugify(options.runemark)
        if mark not in FACTIONS and mark not in ALLIANCES:
            raise NotAvailableError.unknown("runemark", options.runemark, [*ALLIANCES, *FACTIONS], ("runemark",))
        return list(dict.fromkeys((mark, alliance_of(mark))))
    people = fighters(FighterOptions(), data) if isinstance(data.card_list, Warband) else ()
    shared = [{card.faction for card in people}, {card.alliance for card in people}]
    return [mark for marks in shared if len(marks) == 1 for mark in marks if mark]


def _definition_list(cards: Iterable[Card]) -> DefinitionList:
    return DefinitionList(tuple((_heading(card), rich_text(_card_text(card))) for card in cards))


def _heading(card: Card) -> str:
    if isinstance(card, Trait):
        return f"{card.name} ({card.runemark_name})"
    return card.name


def _card_text(card: Card) -> str:
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


CONTENT_PROVIDERS = {
    "fighters": ContentProvider(_fighter_table, "a table of characteristics, one fighter a row", FighterOptions),
    "roster": ContentProvider(_roster_table, "the lines of a warband, with blessings and points", FighterOptions),
    "weapons": ContentProvider(_weapon_table, "a table of weapons, one a row", FighterOptions),
    "cards": ContentProvider(
        _card_entries, "abilities, battle traits or blessings, with what is printed on them", RuleCardOptions
    ),
    "traits": ContentProvider(_trait_entries, "the battle traits of a faction and its grand alliance", TraitOptions),
}
