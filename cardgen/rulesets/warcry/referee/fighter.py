"""Fighters as the referee uses them, impact damage, and the initiative phase."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cardgen.game import (
    CardData,
    Idle,
    Procedure,
    Roll,
    card_of_kind,
    find_by_name,
    missing_part,
    optional_card,
)
from cardgen.rulesets.warcry.cards import Ability, Blessing, Fighter, Trait
from cardgen.rulesets.warcry.changes import IN_ATTACKS, Change
from cardgen.rulesets.warcry.effective import (
    HEROISM,
    has_use,
    is_simple,
    narrow,
    own_changes,
    passive_changes,
    settle,
    unapplied,
    why_not,
)
from cardgen.rulesets.warcry.limits import Weapon

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")
Situation = TypeVar("Situation", bound="DataclassInstance")
FIGHTERS, BLESSINGS, TRAITS, ABILITIES = ("fighter",), ("blessing",), ("trait",), ("ability",)
MAX_DISTANCE = 40
INSPIRING_PRESENCE = "inspiring-presence"


class IdleBlessingError(ValueError):
    """A blessing that a fighter cannot have, or that has no weapon to improve."""


class FighterStats(NamedTuple):
    """A fighter's numbers.

    `cover_face` is what a die must show in Take Cover; `ignored_cover` says against which attacks cover does not count.
    `rerolls` are the types of attacks whose hit rolls are re-rolled, with 'ones', 'misses', or 'one', and
    `critical_faces` those whose hit rolls are critical hits from a face on, or if they 'hit'. `first_criticals` are
    those whose first critical hit becomes a 'hit', or adds damage points, and `matches` those whose Strength may equal
    the Toughness.
    """

    name: str
    move: int
    toughness: int
    wounds: int
    weapons: tuple[Weapon, ...]
    runemarks: frozenset[str]
    cover_face: int = 4
    ignored_cover: str = ""
    rerolls: tuple[tuple[str, str], ...] = ()
    critical_faces: tuple[tuple[str, int | str], ...] = ()
    first_criticals: tuple[tuple[str, int | str], ...] = ()
    matches: tuple[str, ...] = ()

    @classmethod
    def of(cls, card: Fighter) -> FighterStats:
        """Return the numbers of a card alone."""
        return cls(card.name, card.stats.move, card.stats.toughness, card.stats.wounds, card.weapons, card.marks)

    def ignores_cover(self, weapon: Weapon) -> bool:
        """Return whether cover does not count against its attacks with a weapon."""
        return self.ignored_cover in ("any", weapon.attack_type)

    def weapon(self, name: str) -> Weapon:
        """Return the weapon of a name, in any case. Raises ValueError for a weapon that it does not have."""
        match = find_by_name(self.weapons, name)
        if match is None:
            raise ValueError(missing_part(self.name, "weapon", name, (weapon.name for weapon in self.weapons)))
        return match

    def require_standing(self, damage: int) -> None:
        """Raise ValueError if this damage takes the fighter down."""
        if damage >= self.wounds:
            raise ValueError(f"{self.name} has {self.wounds} Wounds: with {damage} damage points it is taken down")


def fighter_stats(
    card: CardData,
    blessing: CardData | None = None,
    trait: Trait | None = None,
    weapon: str | None = None,
    distance: int | None = None,
    trait_weapon: str | None = None,
) -> FighterStats:
    """Return the numbers of a card with its blessing and battle trait.

    A blessing or trait of one weapon improves the one named, or else one that is in range at the distance, in inches;
    `trait_weapon` names that of the trait if it differs. Raises ValueError for a card of another kind, and for a trait
    of a runemark that the fighter does not have.
    """
    fighter = card_of_kind(card, Fighter)
    stats = FighterStats.of(fighter)
    if trait:
        if trait.runemark not in (fighter.faction, fighter.alliance):
            raise ValueError(f"{fighter.name} cannot have '{trait.name}': it is for {trait.runemark_name}")
        changes = passive_changes(trait, fighter.marks)
        candidates = single_weapons(stats.weapons, changes)
        stats = apply_changes(stats, changes, pick_weapon(candidates, trait_weapon or weapon, distance))
    if blessing_card := optional_card(blessing, Blessing):
        if problem := why_not(blessing_card, fighter.marks):
            raise IdleBlessingError(f"{fighter.name} cannot have '{blessing_card.name}': {problem}")
        stats = apply_changes(
            stats, own_changes(blessing_card), _blessed_weapon(stats, blessing_card, weapon, distance)
        )
    return stats


def wounds_of(
    fighter: Fighter, blessing: Blessing | None = None, trait: Trait | None = None, choice: str | None = None
) -> int:
    """Return the Wounds of a fighter with its blessing and battle trait, as far as they are always in force.

    `choice` is the alternative that the warband has picked if its trait offers several.
    """
    if trait and choice:
        trait = narrow(trait, choice)
        trait = settle(trait, trait.choices[0]) if len(trait.choices) == 1 else trait
    changes = (*passive_changes(trait, fighter.marks), *own_changes(blessing))
    return apply_changes(FighterStats.of(fighter), changes).wounds


def _blessed_weapon(fighter: FighterStats, blessing: Blessing, weapon: str | None, distance: int | None) -> str:
    """Return the name of the weapon that a blessing improves.

    The one named, or the first in range that it may be for, or the first of all.
    """
    changes = own_changes(blessing)
    candidates = single_weapons(fighter.weapons, changes) or weapons_for(fighter.weapons, changes)
    if not candidates:
        raise IdleBlessingError(f"{fighter.name} has no weapon that '{blessing.name}' could improve")
    return pick_weapon(candidates, weapon, distance)


def lent_runemarks(blessing: Blessing | None, ability: str) -> frozenset[str]:
    """Return the runemarks that a blessing lends: Heroism lends Hero for Inspiring Presence (battlepack)."""
    is_lent = blessing is not None and blessing.id == HEROISM and ability == INSPIRING_PRESENCE
    return frozenset({"hero"} if is_lent else ())


def pick_weapon(candidates: Sequence[Weapon], weapon: str | None, distance: int | None) -> str:
    """Return the name of the weapon named, or of the first in range, or of the first; '' if there is none."""
    named = find_by_name(candidates, weapon) if weapon is not None else None
    near = (arm for arm in candidates if distance is not None and in_range(arm, distance))
    pick = named or next(near, candidates[0] if candidates else None)
    return pick.name if pick else ""


def single_weapons(weapons: Iterable[Weapon], changes: Iterable[Change]) -> list[Weapon]:
    """Return the weapons that the changes of a single weapon may be for; none if no change is of a single weapon."""
    singles = [change for change in changes if change.weapon.startswith("one")]
    return weapons_for(weapons, singles) if singles else []


def weapons_for(weapons: Iterable[Weapon], changes: Iterable[Change]) -> list[Weapon]:
    """Return the weapons that all of some changes may be for."""
    filters = [change.weapon for change in changes]
    return [weapon for weapon in weapons if all(_applies_to(weapon, each) for each in filters)]


def apply_changes(fighter: FighterStats, changes: Iterable[Change], single_weapon: str = "") -> FighterStats:
    """Return the fighter after some changes; bonuses count before penalties, whose minimum is that of the result.

    `single_weapon` is the weapon that a change of a single weapon is for. Changes that need a moment, a condition, or a
    certain target are left out.
    """
    for change in sorted(changes, key=lowers):
        if not change.is_constant:
            continue
        fighter = fighter._replace(
            move=_changed(fighter.move, change, "move", 0),
            toughness=_changed(fighter.toughness, change, "toughness", None),
            wounds=_changed(fighter.wounds, change, "wounds", 1),
            weapons=tuple(_apply_to_weapon(arm, change, single_weapon) for arm in fighter.weapons),
            cover_face=change.take_cover or fighter.cover_face,
            ignored_cover=_ignored_cover(fighter.ignored_cover, change.no_cover),
            rerolls=_added(fighter.rerolls, change, change.reroll),
            critical_faces=_added(fighter.critical_faces, change, change.critical_face),
            first_criticals=_added(fighter.first_criticals, change, change.first_critical),
            matches=(*fighter.matches, change.weapon) if change.matches_toughness else fighter.matches,
        )
    return fighter


def lowers(change: Change) -> bool:
    """Return whether a change lowers a number that has a minimum."""
    return any(by < 0 for _, by in change.nonzero(("move", "wounds", "range", *IN_ATTACKS)))


def _ignored_cover(before: str, more: str | None) -> str:
    """Return the attacks against which cover does not count: both kinds that are named, if they differ."""
    return "any" if before and more and before != more else more or before


def _added(before: tuple[tuple[str, T], ...], change: Change, value: T | None) -> tuple[tuple[str, T], ...]:
    """Return what is true of attacks of some types, and what a change says of those of its weapons."""
    return (*before, (change.weapon, value)) if value is not None else before


def of_type(pairs: Iterable[tuple[str, T]], weapon: Weapon) -> list[T]:
    """Return what is true of attacks of the type of a weapon."""
    return [value for weapons, value in pairs if weapons in ("any", weapon.attack_type)]


def _changed(number: int, change: Change, name: str, lowest: int | None) -> int:
    """Return a characteristic after a change: doubled, halved and rounded up, raised, or lowered to a minimum.

    Without a minimum, the ruling `lowest-characteristic` says what counts.
    """
    if name in change.fixes:
        number = change.fixed_at
    if name in change.double:
        number *= 2
    if name in change.halve:
        number = (number + 1) // 2
    by: int = getattr(change, name)
    if by < 0 and change.at_least is not None:
        return max(min(number, change.at_least), number + by)
    return number + by if lowest is None else max(lowest, number + by)


def _apply_to_weapon(weapon: Weapon, change: Change, single_weapon: str) -> Weapon:
    if not _applies_to(weapon, change.weapon) or (change.weapon.startswith("one") and weapon.name != single_weapon):
        return weapon
    if change.reach is not None and weapon.range > change.reach:
        return weapon
    lowest = {"range": max(1, weapon.min_range), "attacks": 1, "strength": None, "damage": 0, "critical": 0}
    numbers = {name: _changed(getattr(weapon, name), change, name, least) for name, least in lowest.items()}
    if change.min_range is not None:
        numbers["min_range"] = min(weapon.min_range, change.min_range)
    return weapon.model_copy(update=numbers)


def _applies_to(weapon: Weapon, weapon_filter: str) -> bool:
    """Return whether a change for such weapons applies to this weapon."""
    attack_type = weapon_filter.removeprefix("one-")
    return attack_type in ("any", "one") or (attack_type == "melee") == weapon.melee


def in_range(weapon: Weapon, distance: int) -> bool:
    """Return whether a target is in range; both limits count."""
    return weapon.min_range <= distance <= weapon.range


def not_simulated(*blessings: CardData | None) -> Iterator[str]:
    """Yield the blessings, or parts of them, that the procedures leave to the players."""
    for card in (card_of_kind(data, Ability, Blessing) for data in blessings if data):
        assert isinstance(card, Ability | Blessing)
        if card.id != HEROISM:
            applied = partial(_is_applied, card) if isinstance(card, Blessing) else lambda _: True
            yield from unapplied(card, card.name, applied)


def idle_cards(
    situation: Situation,
    choices: Mapping[str, str],
    figures: Callable[[Situation], object],
    what: str,
    notes: Sequence[str],
) -> Iterator[Idle]:
    """Yield which cards of a situation could be left out without a change of the figures that the odds depend on.

    `choices` are the fields of the cards, each with that of the choice that the card offers, or ''. A card that the
    others need is not left out: a blessing may lend the runemark for an ability. Neither is one that `notes` mention.
    """
    now = figures(situation)
    for key, choice in choices.items():
        card: CardData | None = getattr(situation, key)
        if card is None or _is_mentioned(card, notes):
            continue
        try:
            without = figures(replace(situation, **{key: None, **({choice: None} if choice else {})}))
        except ValueError:
            continue
        if without == now:
            yield Idle(f"'{card['name']}' has no effect on this {what}")


def _is_mentioned(card: CardData, notes: Iterable[str]) -> bool:
    """Return whether some note names a card, or a rule that it grants or offers."""
    names = [part["name"] for part in (card, *card.get("grants", ()), *card.get("choices", ()))]
    return any(f"'{name}'" in note for note in notes for name in names)


def _is_applied(blessing: Blessing, change: Change) -> bool:
    """Return whether a change of a blessing is one of its fighter's numbers at all times."""
    return change.of == "self" and is_simple(change) and not has_use(blessing)


# Impact damage by the die if high rolls are worse; if low rolls are, the die is read as 7 less what it shows.
IMPACT_DAMAGE = {1: 0, 2: 0, 3: 0, 4: 1, 5: 1, 6: 3}


def impact_damage(who: str, modifier: int, *, low_is_worse: bool) -> Procedure[int]:
    """Roll the impact damage of a fighter. `modifier` is that of the enemy's battle trait; the die shows 1 at least."""
    face = yield Roll("impact", who, "impact damage")
    shown = max(1, int(face) + modifier)
    return IMPACT_DAMAGE[7 - shown if low_is_worse else shown]
