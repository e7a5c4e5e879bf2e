"""Runemarks on a sheet: a legend of their icons and names, and the factions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Literal

from cardgen.game import Block, CardGroup, CardOptions, ContentProvider, Field, GameData, Model, table
from cardgen.rulesets.warcry.cards import Ability, Fighter, Trait, Warband
from cardgen.rulesets.warcry.limits import Settings, name_of
from cardgen.rulesets.warcry.reference.profiles import fighters
from cardgen.rulesets.warcry.runemarks import ALLIANCES

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
    "runemarks": ContentProvider(_legend, "icons and names of runemarks, weapons, and prices", LegendOptions)
}
