"""Cards on a sheet: tables of fighters and weapons, and text entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

from cardgen.game import (
    Block,
    Card,
    CardOptions,
    ContentProvider,
    Field,
    GameData,
    Model,
    NotAvailableError,
    Text,
    rows_table,
    slugify,
    text_entries,
)
from cardgen.rulesets.warcry.cards import Ability, Blessing, Fighter, Trait, Warband
from cardgen.rulesets.warcry.changes import describe, once_label
from cardgen.rulesets.warcry.runemarks import ALLIANCES
from cardgen.rulesets.warcry.settings import Settings

UNIVERSAL = "universal"


class RuleCardOptions(Model):
    """Selection of cards of a kind, by name, tag, or price.

    On a warband's sheet, only abilities that the warband can use are selected by default.
    """

    kind: Annotated[Text, Field(description="ability, trait, or blessing")]
    only: Annotated[tuple[Text, ...], Field(description="ids or names")] = ()
    tag: Annotated[Text | None, Field(description="only cards with this tag")] = None
    price: Annotated[Text | None, Field(description="only abilities with this price")] = None


class TraitOptions(Model):
    """Selection of battle traits; by default, those of the sheet's warband."""

    runemark: Annotated[Text | None, Field(description="a faction or grand alliance")] = None


def fighters(options: CardOptions, data: GameData) -> tuple[Fighter, ...]:
    """Return the selected fighters, each once."""
    warband = data.card_list if isinstance(data.card_list, Warband) and not options.all else None
    names = [member.fighter for member in warband.members] if warband else None
    return tuple(card for card in data.select(Fighter.KIND, options.only, names) if isinstance(card, Fighter))


def _fighter_table(options: CardOptions, data: GameData) -> Iterator[Block]:
    """Yield a table of characteristics."""
    rows = (
        (f"**{card.name}** {_icons(card.runemarks)}", *map(str, (*card.stats.model_dump().values(), card.points)))
        for card in fighters(options, data)
    )
    return rows_table(("", "Move", "Tough.", "Wounds", "Points"), rows)


def _icons(marks: Iterable[str]) -> str:
    return " ".join(f"{{{mark}}}" for mark in marks)


def _roster_table(_: CardOptions, data: GameData) -> Iterator[Block]:
    """Yield a table of a warband: fighters, blessings, numbers, and points."""
    if not isinstance(data.card_list, Warband):
        return
    rows, total = [], 0
    for member in data.card_list.members:
        fighter = data.find(Fighter.KIND, member.fighter)
        blessing = data.find(Blessing.KIND, member.blessing) if member.blessing else None
        assert isinstance(fighter, Fighter)
        points = fighter.points + (blessing.price(fighter) if isinstance(blessing, Blessing) else 0)
        total += points * member.qty
        leads = " *leader*" if member.leader else ""
        rows.append((f"{fighter.name}{leads}", blessing.name if blessing else "", str(member.qty), str(points)))
    rows.append(("**Total**", "", "", f"**{total}** of {data.card_list.limit}"))
    yield from rows_table(("Fighter", "Blessing", "", "Points"), rows)


def _weapon_table(options: CardOptions, data: GameData) -> Iterator[Block]:
    """Yield a table of weapons, one per row."""
    rows = (
        (
            f"{{{weapon.icon}}} **{weapon.name}** *{card.name}*",
            *map(str, (weapon.reach, weapon.attacks, weapon.strength, f"{weapon.damage}/{weapon.critical}")),
        )
        for card in fighters(options, data)
        for weapon in card.weapons
    )
    return rows_table(("Weapon", "Rng", "A", "S", "D"), rows)


def _card_entries(options: RuleCardOptions, data: GameData) -> Iterator[Block]:
    """Yield cards with their printed text."""
    kinds = (Ability.KIND, Trait.KIND, Blessing.KIND)
    if options.kind not in kinds:
        raise NotAvailableError.unknown("kind of card", options.kind, kinds, ("kind",))
    yield from _entries(card for card in data.select(options.kind, options.only) if _is_wanted(card, options, data))


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
    """Return whether some fighter has all of an ability's runemarks.

    Universal abilities and abilities without runemarks do not count.
    """
    people = fighters(CardOptions(), data)
    marks = set(ability.runemarks)
    return (
        bool(marks)
        and UNIVERSAL not in ability.tags
        and any(marks <= {card.faction, card.alliance, *card.runemarks} for card in people)
    )


def _trait_entries(options: TraitOptions, data: GameData) -> Iterator[Block]:
    """Yield the battle traits of a faction and its grand alliance."""
    marks = _runemarks(options, data)
    chosen = [card for card in data.cards.get(Trait.KIND, ()) if isinstance(card, Trait) and card.runemark in marks]
    ordered = sorted(chosen, key=lambda card: (marks.index(card.runemark), card.name))
    return _entries(ordered)


def _runemarks(options: TraitOptions, data: GameData) -> list[str]:
    if options.runemark is not None:
        mark, settings = slugify(options.runemark), Settings.in_force()
        if not settings.alliance_of(mark):
            known = [*ALLIANCES, *settings.all_factions]
            raise NotAvailableError.unknown("runemark", options.runemark, known, ("runemark",))
        return list(dict.fromkeys((mark, settings.alliance_of(mark))))
    people = fighters(CardOptions(), data) if isinstance(data.card_list, Warband) else ()
    shared = [{card.faction for card in people}, {card.alliance for card in people}]
    return [mark for marks in shared if len(marks) == 1 for mark in marks if mark]


def _entries(cards: Iterable[Card]) -> Iterator[Block]:
    return text_entries((_heading(card), _card_text(card)) for card in cards)


def _heading(card: Card) -> str:
    return f"{card.name} ({card.runemark_name})" if isinstance(card, Trait) else card.name


def _card_text(card: Card) -> str:
    """Return the printed text of a card as one paragraph of markup."""
    parts = []
    if isinstance(card, Ability):
        parts.append(f"{{{card.price}}} {_icons(card.runemarks)}".strip())
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
    "fighters": ContentProvider(_fighter_table, "a table of characteristics, one fighter per row", CardOptions),
    "roster": ContentProvider(_roster_table, "the lines of a warband, with blessings and points", CardOptions),
    "weapons": ContentProvider(_weapon_table, "a table of weapons, one per row", CardOptions),
    "cards": ContentProvider(_card_entries, "abilities, battle traits, or blessings, with their text", RuleCardOptions),
    "traits": ContentProvider(_trait_entries, "the battle traits of a faction and its grand alliance", TraitOptions),
}
