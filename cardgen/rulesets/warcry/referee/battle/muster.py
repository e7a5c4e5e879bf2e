"""Warbands as they muster: fighters with blessings, battle traits, and the rules that they can use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cardgen.game import CardData, Log, Procedure, card_of_kind, choose, in_words_only, optional_card, recruits
from cardgen.rulesets.warcry.battle_trait import passive_changes, settle, trait_of, traits_not_simulated
from cardgen.rulesets.warcry.cards import Ability, Blessing, Fighter, Rule, Trait
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.effective import HEROISM, own_changes
from cardgen.rulesets.warcry.referee.attack_trials import INSPIRING_PRESENCE
from cardgen.rulesets.warcry.referee.battle.actions.reaction import UNIVERSAL_REACTIONS
from cardgen.rulesets.warcry.referee.battle.actions.words import plain_words
from cardgen.rulesets.warcry.referee.battle.combatant import SPITE, Combatant
from cardgen.rulesets.warcry.referee.battle.table import HEROES_WITHOUT_LIMITS, Side
from cardgen.rulesets.warcry.referee.fighter import fighter_stats, single_weapons

ADJUDICATED = {INSPIRING_PRESENCE, HEROISM, SPITE, HEROES_WITHOUT_LIMITS, *UNIVERSAL_REACTIONS}


class Recruit(NamedTuple):
    """A fighter of a warband before the battle, as plain data, with a name of its own."""

    side: int
    name: str
    card: CardData
    blessing: CardData | None


def recruits_of(warbands: tuple[CardData, CardData]) -> tuple[Recruit, ...]:
    """Return all fighters of both warbands; those that share a name are numbered."""
    return tuple(
        Recruit(side, name, member["fighter"], member.get("blessing"))
        for side, name, member in recruits(warbands, "fighter")
    )


def combatant_of(recruit: Recruit, side: Side) -> Procedure[Combatant]:
    """Return the combatant of a recruit; ask which weapon its blessing or battle trait is for if there are several."""
    fighter, blessing = card_of_kind(recruit.card, Fighter), optional_card(recruit.blessing, Blessing)
    weapon = yield from _pick_weapon(recruit, side, blessing, own_changes(blessing))
    trait_weapon = yield from _pick_weapon(recruit, side, side.trait, passive_changes(side.trait, fighter.marks))
    stats = fighter_stats(recruit.card, recruit.blessing, side.trait, weapon, trait_weapon=trait_weapon)
    return Combatant(recruit.side, fighter, blessing, stats._replace(name=recruit.name))


def _pick_weapon(
    recruit: Recruit, side: Side, source: Blessing | Trait | None, changes: tuple[Change, ...]
) -> Procedure[str | None]:
    """Ask for the weapon of changes of a single weapon; return its name, or None if there is none."""
    weapons = single_weapons(fighter_stats(recruit.card).weapons, changes)
    if not weapons or source is None:
        return None
    what = f"weapon of {recruit.name} with {source.name}"
    return (yield from choose("weapon", side.name, what, {each.name: each.name for each in weapons}))


def side_of(index: int, warband: CardData, abilities: Iterable[Ability]) -> Side:
    """Return the side of a warband with the rules that its fighters can use.

    Raises ValueError for a choice that its battle trait does not offer.
    """
    trait = trait_of(warband.get("trait"), warband.get("choice"))
    return Side(index, warband["name"], trait, (*abilities, *(trait.grants if trait else ())))


def muster_side(side: Side) -> Procedure[None]:
    """Ask which alternative of its battle trait a side picks, unless its card says so, and put it into force."""
    if side.trait and side.trait.choices:
        options = {rule.name: rule for rule in side.trait.choices}
        rule = yield from choose("choice", side.name, f"choice of {side.trait.name}", options)
        side.trait, side.rules = settle(side.trait, rule), (*side.rules, rule)
        yield Log("{}: {}: {}", (side.name, rule.name, plain_words(rule)))


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
        cards |= {rule.name: rule for rule in (*side.rules, *(side.trait.choices if side.trait else ()))}
    for recruit in recruits:
        if blessing := optional_card(recruit.blessing, Blessing):
            cards[blessing.name] = blessing
    unknown = ((name, card) for name, card in cards.items() if getattr(card, "id", "") not in ADJUDICATED)
    notes = [*in_words_only(unknown, "changes"), *(note for side in sides for note in _trait_in_words(side.trait))]
    yield from dict.fromkeys(notes)


def _trait_in_words(trait: Trait | None) -> Iterator[str]:
    """Yield what the match tracker does not apply of a trait that always applies; it asks for the rest."""
    if trait and trait.id not in ADJUDICATED:
        free = tuple(rule for rule in trait.grants if not rule.price)
        yield from traits_not_simulated(trait.model_copy(update={"grants": free}))
