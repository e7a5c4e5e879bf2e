"""Fighter and weapon stats: a card with blessing, battle trait and abilities applied."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from cardgen.rulesets.warcry.cards import Ability, Blessing, Fighter, Trait
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.weapon import Weapon


class NoWeaponError(ValueError):
    """A blessing finds no weapon that it could better."""


class WeaponStats(NamedTuple):
    """A weapon's numbers; Range in inches."""

    name: str
    min_range: int
    max_range: int
    attacks: int
    strength: int
    damage: int
    critical: int

    @property
    def melee(self) -> bool:
        """True for melee attacks."""
        return self.max_range <= 3

    def in_range(self, distance: int) -> bool:
        """Whether a target so many inches away is in range; both limits count."""
        return self.min_range <= distance <= self.max_range


class FighterStats(NamedTuple):
    """A fighter's numbers. `cover` is what a die must show in Take Cover; `ignores` whose cover does not count."""

    name: str
    move: int
    toughness: int
    wounds: int
    weapons: tuple[WeaponStats, ...]
    runemarks: frozenset[str]
    cover_face: int = 4
    ignored_cover: str = ""

    def weapon(self, name: str | None) -> WeaponStats:
        """The weapon of that name, in capitals or not; the first without one. Raises ValueError for another."""
        if name is None:
            return self.weapons[0]
        match = next((arm for arm in self.weapons if arm.name.casefold() == name.casefold()), None)
        if match is None:
            raise ValueError(
                f"{self.name} has no weapon '{name[:60]}'; it has {', '.join(a.name for a in self.weapons)}"
            )
        return match


def fighter_stats(
    card: dict[str, Any], blessing: dict[str, Any] | None = None, trait: dict[str, Any] | None = None,
    weapon: str | None = None,
) -> FighterStats:  # fmt: skip
    """A fighter from the data of its card, its blessing and its battle trait; `chosen` is the blessed weapon's name.

    Raises ValueError for a card of another kind, and for a trait of a runemark that the fighter does not have.
    """
    fighter = card_of_kind(card, Fighter)
    weapons = tuple(map(weapon_stats, fighter.weapons))
    stats = FighterStats(
        fighter.name,
        fighter.stats.move,
        fighter.stats.toughness,
        fighter.stats.wounds,
        weapons,
        frozenset((*fighter.runemarks, fighter.faction)),
    )
    if trait is not None:
        trait_card = card_of_kind(trait, Trait)
        if trait_card.runemark not in (fighter.faction, fighter.alliance):
            raise ValueError(f"{fighter.name} cannot have '{trait_card.name}': it is for {trait_card.runemark_name}")
        stats = apply_changes(stats, trait_card.changes)
    if blessing is not None:
        blessing_card = card_of_kind(blessing, Blessing)
        stats = apply_changes(stats, blessing_card.changes, blessed_weapon(stats, blessing_card, weapon))
    return stats


def blessed_weapon(fighter: FighterStats, blessing: Blessing, weapon: str | None) -> str:
    """The name of the weapon that a blessing is for: the one named, or the first that it may be for."""
    filters = {change.weapon for change in blessing.changes}
    candidates = [arm for arm in fighter.weapons if all(_applies_to(arm, each) for each in filters)]
    if weapon is not None:
        named = fighter.weapon(weapon)
        if named in candidates:
            return named.name
    if not candidates:
        raise NoWeaponError(f"{fighter.name} has no weapon that '{blessing.name}' could better")
    return candidates[0].name


def apply_changes(fighter: FighterStats, changes: Iterable[Change], single_weapon: str = "") -> FighterStats:
    """The fighter after some changes; `one` is the weapon that a change of a single weapon is for."""
    for change in changes:
        fighter = fighter._replace(
            move=max(0, fighter.move + change.move),
            toughness=max(1, fighter.toughness + change.toughness),
            wounds=max(1, fighter.wounds + change.wounds),
            weapons=tuple(_apply_to_weapon(arm, change, single_weapon) for arm in fighter.weapons),
            cover_face=change.take_cover or fighter.cover_face,
            ignored_cover=change.no_cover or fighter.ignored_cover,
        )
    return fighter


def _apply_to_weapon(weapon: WeaponStats, change: Change, single_weapon: str) -> WeaponStats:
    if not _applies_to(weapon, change.weapon) or (change.weapon.startswith("one") and weapon.name != single_weapon):
        return weapon
    return weapon._replace(
        attacks=max(1, weapon.attacks + change.attacks),
        strength=max(1, weapon.strength + change.strength),
        damage=max(0, weapon.damage + change.damage),
        critical=max(0, weapon.critical + change.critical),
    )


def _applies_to(weapon: WeaponStats, weapon_filter: str) -> bool:
    """Whether a change of such weapons can be one of this weapon."""
    attack_type = weapon_filter.removeprefix("one-")
    return attack_type in ("any", "one") or (attack_type == "melee") == weapon.melee


def weapon_stats(weapon: Weapon) -> WeaponStats:
    """A weapon of a card as its numbers."""
    return WeaponStats(
        weapon.name,
        weapon.min_range,
        weapon.range,
        weapon.attacks,
        weapon.strength,
        weapon.damage,
        weapon.critical,
    )


def card_of_kind(data: dict[str, Any], model: type[Any]) -> Any:
    """The card that plain data gives. Raises ValueError for one of another kind."""
    if data.get("kind") != model.KIND:
        raise ValueError(f"a card of the kind {data.get('kind')!r} cannot stand where a {model.KIND} is asked for")
    return model.model_validate({key: value for key, value in data.items() if key != "kind"})


def not_simulated(*cards: dict[str, Any] | None) -> tuple[str, ...]:
    """What the procedures leave to the players, each in a few words."""
    texts = []
    for data in cards:
        if data is None:
            continue
        card = card_of_kind(data, {kind.KIND: kind for kind in (Ability, Blessing, Trait)}[data["kind"]])
        if card.text and not card.changes:
            texts.append(f"'{card.name}' is in words only")
    return tuple(texts)
