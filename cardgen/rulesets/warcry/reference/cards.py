"""Abilities, battle traits, and blessings on a sheet with their text, and a legend of runemarks and factions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Literal

from cardgen.game import (
    Block,
    Card,
    CardGroup,
    CardOptions,
    ContentProvider,
    Field,
    GameData,
    Model,
    NotAvailableError,
    Text,
    slugify,
    table,
    text_entries,
)
from cardgen.rulesets.warcry.cards import Ability, Blessing, Fighter, Trait, Warband
from cardgen.rulesets.warcry.effective import narrow
from cardgen.rulesets.warcry.limits import Settings, alliance_of, name_of
from cardgen.rulesets.warcry.reference.profiles import fighters, icons
from cardgen.rulesets.warcry.runemarks import ALLIANCES
from cardgen.rulesets.warcry.wording import describe, once_label

UNIVERSAL = "universal"


class RuleCardOptions(Model):
    """Selection of cards of a kind, by name, tag, or price.

    On a warband's sheet, only abilities that the warband can use are selected by default; on that of a faction or grand
    alliance, only its own.
    """

    kind: Annotated[Text, Field(description="ability, trait, or blessing")]
    only: Annotated[tuple[Text, ...], Field(description="ids or names")] = ()
    tag: Annotated[Text | None, Field(description="only cards with this tag")] = None
    price: Annotated[Text | None, Field(description="only abilities with this price")] = None


class TraitOptions(Model):
    """Selection of battle traits; by default, those of the sheet's warband or faction."""

    runemark: Annotated[Text | None, Field(description="a faction or grand alliance")] = None


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
        if data.group and data.group.id not in card.runemarks:
            return False
        if isinstance(data.card_list, Warband) and not options.tag and not _is_usable(card, data):
            return False
    return options.tag is None or options.tag in card.tags


def _is_usable(ability: Ability, data: GameData) -> bool:
    """Return whether some fighter has all of an ability's runemarks.

    The universal abilities do not count, because they have a list of their own.
    """
    people = fighters(CardOptions(), data)
    return UNIVERSAL not in ability.tags and any(card.marks.issuperset(ability.runemarks) for card in people)


def _trait_entries(options: TraitOptions, data: GameData) -> Iterator[Block]:
    """Yield the battle traits of a faction and its grand alliance.

    The trait that the sheet's warband has picked comes first, and is marked.
    """
    marks = _runemarks(options, data)
    picked = _picked_trait(data)
    traits = [card for card in data.cards.get(Trait.KIND, ()) if isinstance(card, Trait) and card.runemark in marks]
    others = [card for card in traits if card.id != picked.id] if picked else traits
    ordered = sorted(others, key=lambda card: (marks.index(card.runemark), card.name))
    chosen = [picked] if picked and picked.runemark in marks else []
    return text_entries(
        [
            *((_heading(card), f"**Chosen.** {_card_text(card)}") for card in chosen),
            *((_heading(card), _card_text(card)) for card in ordered),
        ]
    )


def _picked_trait(data: GameData) -> Trait | None:
    """Return the battle trait of the sheet's warband with the alternative that it chooses, if it names one."""
    warband = data.card_list
    trait = data.find(Trait.KIND, warband.trait) if isinstance(warband, Warband) and warband.trait else None
    return narrow(trait, warband.choice) if isinstance(warband, Warband) and isinstance(trait, Trait) else None


def _runemarks(options: TraitOptions, data: GameData) -> list[str]:
    if options.runemark is not None:
        mark, settings = slugify(options.runemark), Settings.in_force()
        if not settings.alliance_of(mark):
            known = [*ALLIANCES, *settings.all_factions]
            raise NotAvailableError.unknown("runemark", options.runemark, known, ("runemark",))
        return list(dict.fromkeys((mark, settings.alliance_of(mark))))
    if data.group:
        return list(dict.fromkeys((data.group.id, alliance_of(data.group.id))))
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
        parts.append(f"{{{card.price}}} {icons(card.runemarks)}".strip())
    if isinstance(card, Blessing):
        parts.append(f"**{card.points.regular}/{card.points.elite}**")
    if once_label(card):
        parts.append(f"*{once_label(card)}.*")
    parts.append(describe(card))
    for rule in (*getattr(card, "choices", ()), *getattr(card, "grants", ())):
        price = f"{{{rule.price}}} " if rule.price else ""
        parts.append(f"{price}**{rule.name}:** {describe(rule)}")
    return " ".join(filter(None, parts))


Names = Mapping[str, str]
PRICES: Names = {
    "double": "Double",
    "triple": "Triple",
    "quad": "Quad",
    "reaction": "Reaction",
    "action": "Action",
    "wild": "Wild die",
}


class LegendOptions(Model):
    """The runemarks to show.

    By default those that the cards of the sheet's warband or faction have.
    """

    of: Annotated[
        Literal["used", "alliances", "order", "chaos", "death", "destruction", "roles", "weapons", "prices"],
        Field(description="used, alliances, the factions of a grand alliance, roles, weapons, or prices"),
    ] = "used"


def factions(data: GameData) -> Iterator[CardGroup]:
    """Yield all factions and grand alliances; those with fighters or abilities are in use."""
    own = _own_names(data)
    used = {card.faction for card in _fighters(data)} | {mark for card in _abilities(data) for mark in card.runemarks}
    marks = dict.fromkeys((*Settings.in_force().all_factions, *(card.faction for card in _fighters(data)), *ALLIANCES))
    return (CardGroup(mark, own.get(mark) or name_of(mark), mark in used) for mark in marks)


def _legend(options: LegendOptions, data: GameData) -> Iterator[Block]:
    """Yield a table of icons and names."""
    names = _used_names(data) if options.of == "used" else _all_names(options.of, data)
    if names:
        yield table(("", ""), ((f"{{{mark}}}", name) for mark, name in names.items()), "ll").without_row_headers()


def _all_names(kind: str, data: GameData) -> Names:
    """Return the runemarks of a kind by icon, with those that only the project's cards have."""
    match kind:
        case "alliances":
            return ALLIANCES
        case "weapons":
            return {f"weapon-{shape}": name for shape, name in Settings.in_force().all_shapes.items()}
        case "prices":
            return PRICES
        case "roles":
            factions_in_use = {card.faction for card in _fighters(data)} | {card.runemark for card in _traits(data)}
            marks = (mark for mark in _own_names(data) if mark not in factions_in_use)
            return {**Settings.in_force().all_roles, **_unknown(marks, data)}
    own = (card.faction for card in _fighters(data) if card.alliance == kind)
    return {**Settings.in_force().factions_of(kind), **_unknown(own, data)}


def _unknown(marks: Iterable[str], data: GameData) -> Names:
    """Return the names of runemarks that are not the game's."""
    own, known = _own_names(data), Settings.in_force().all_runemarks
    return {mark: own.get(mark) or name_of(mark) for mark in marks if mark not in known}


def _own_names(data: GameData) -> Names:
    """Return the names of all runemarks on the cards."""
    names: dict[str, str] = {}
    for fighter in _fighters(data):
        names.update((*fighter.names, (fighter.faction, fighter.faction_name)))
    for ability in _abilities(data):
        names.update(ability.names)
    names.update((trait.runemark, trait.runemark_name) for trait in _traits(data))
    return names


def _used_names(data: GameData) -> Names:
    """Return the runemarks of the fighters and abilities of a warband or faction."""
    people = fighters(CardOptions(), data)
    marks = {mark for card in people for mark in card.marks}
    group = data.group.id if data.group else ""
    for ability in _abilities(data):
        if group in ability.runemarks or (isinstance(data.card_list, Warband) and marks.issuperset(ability.runemarks)):
            marks.update(ability.runemarks)
    names = {**Settings.in_force().all_runemarks, **_own_names(data)}
    return {mark: name for mark, name in names.items() if mark in marks}


def _fighters(data: GameData) -> Iterator[Fighter]:
    return (card for card in data.cards.get(Fighter.KIND, ()) if isinstance(card, Fighter))


def _abilities(data: GameData) -> Iterator[Ability]:
    return (card for card in data.cards.get(Ability.KIND, ()) if isinstance(card, Ability))


def _traits(data: GameData) -> Iterator[Trait]:
    return (card for card in data.cards.get(Trait.KIND, ()) if isinstance(card, Trait))


CONTENT_PROVIDERS = {
    "cards": ContentProvider(_card_entries, "abilities, battle traits, or blessings, with their text", RuleCardOptions),
    "traits": ContentProvider(_trait_entries, "the battle traits of a faction and its grand alliance", TraitOptions),
    "runemarks": ContentProvider(_legend, "icons and names of runemarks, weapons, and prices", LegendOptions),
}
