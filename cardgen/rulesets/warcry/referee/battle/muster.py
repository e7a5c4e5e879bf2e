"""Warbands as they muster: fighters with blessings, battle traits, and the rules that they can use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cardgen.game import CardData, Procedure, card_of_kind, in_words_only, numbered_names, optional_card
from cardgen.rulesets.warcry.cards import Ability, Blessing, Fighter, Rule, Trait
from cardgen.rulesets.warcry.referee.attack_trials import INSPIRING_PRESENCE
from cardgen.rulesets.warcry.referee.battle.actions.reaction import UNIVERSAL_REACTIONS
from cardgen.rulesets.warcry.referee.battle.combatant import SPITE, Combatant
from cardgen.rulesets.warcry.referee.battle.questions import choose
from cardgen.rulesets.warcry.referee.battle.table import HEROES_WITHOUT_LIMITS, Side
from cardgen.rulesets.warcry.referee.fighter import HEROISM, fighter_stats, weapons_for

ADJUDICATED = {INSPIRING_PRESENCE, HEROISM, SPITE, HEROES_WITHOUT_LIMITS, *UNIVERSAL_REACTIONS}


class Recruit(NamedTuple):
    """A fighter of a warband before the battle, as plain data, with a name of its own."""

    side: int
    name: str
    card: CardData
    blessing: CardData | None
    trait: CardData | None


def recruits_of(warbands: tuple[CardData, CardData]) -> tuple[Recruit, ...]:
    """Return all fighters of both warbands; those that share a name are numbered."""
    members = [
        (side, member, warband.get("trait"))
        for side, warband in enumerate(warbands)
        for member in warband["members"]
        for _ in range(member.get("qty", 1))
    ]
    names = numbered_names([member["fighter"]["name"] for _, member, _ in members])
    return tuple(
        Recruit(side, name, member["fighter"], member.get("blessing"), trait)
        for name, (side, member, trait) in zip(names, members, strict=True)
    )


def combatant_of(recruit: Recruit, player: str) -> Procedure[Combatant]:
    """Return the combatant of a recruit; ask which weapon its blessing is for if there are several."""
    fighter, blessing = card_of_kind(recruit.card, Fighter), optional_card(recruit.blessing, Blessing)
    weapon = None
    if blessing and any(change.weapon.startswith("one") for change in blessing.changes):
        names = [arm.name for arm in weapons_for(fighter_stats(recruit.card).weapons, blessing.changes)]
        options = {name: name for name in names}
        weapon = yield from choose("weapon", player, f"weapon of {recruit.name} with {blessing.name}", options)
    stats = fighter_stats(recruit.card, recruit.blessing, recruit.trait, weapon)
    return Combatant(recruit.side, fighter, blessing, stats._replace(name=recruit.name))


def side_of(index: int, warband: CardData, abilities: Iterable[Ability]) -> Side:
    """Return the side of a warband with the rules that its fighters can use."""
    trait = optional_card(warband.get("trait"), Trait)
    rules: tuple[Ability | Rule, ...] = (*abilities, *(trait.grants if trait else ()))
    words = () if trait is None or trait.changes or trait.grants or trait.id in ADJUDICATED else (trait.name,)
    return Side(index, warband["name"], trait, rules, words)


def usable_abilities(abilities: Iterable[CardData], recruits: Iterable[Recruit]) -> tuple[CardData, ...]:
    """Return the abilities that some fighter can use."""
    marks = [card_of_kind(each.card, Fighter).marks | {"hero"} for each in recruits]
    return tuple(
        data for data in abilities if any(each.issuperset(card_of_kind(data, Ability).runemarks) for each in marks)
    )


def rules_in_words(sides: Iterable[Side], recruits: Iterable[Recruit]) -> Iterator[str]:
    """Yield what the match tracker leaves to the players, each once."""
    cards: dict[str, Ability | Rule | Trait | Blessing] = {}
    for side in sides:
        cards |= {rule.name: rule for rule in side.rules}
        if side.trait and not side.trait.grants:
            cards[side.trait.name] = side.trait
    for recruit in recruits:
        if blessing := optional_card(recruit.blessing, Blessing):
            cards[blessing.name] = blessing
    unknown = ((name, card) for name, card in cards.items() if getattr(card, "id", "") not in ADJUDICATED)
    return in_words_only(unknown, "changes")
