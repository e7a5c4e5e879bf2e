"""A fighter as the procedures see it: its card with blessing, battle trait and abilities counted in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from cardgen.rulesets.warcry.change import Change
from cardgen.rulesets.warcry.kinds import Ability, Blessing, Fighter, Trait
from cardgen.rulesets.warcry.weapon import Weapon


class NoWeaponError(ValueError):
    """A blessing finds no weapon that it could better."""


class Arm(NamedTuple):
    """A weapon's numbers; Range in inches."""

    name: str
    near: int
    reach: int
    attacks: int
    strength: int
    damage: int
    critical: int

    @property
    def melee(self) -> bool:
        """True for melee attacks."""
        return self.reach <= 3

    def in_range(self, distance: int) -> bool:
        """Whether a target so many inches away is in range; both limits count."""
        return self.near <= distance <= self.reach


class Body(NamedTuple):
    """A fighter's numbers. `cover` is what a die must show in Take Cover; `ignores` whose cover does not count."""

    name: str
    move: int
    toughness: int
    wounds: int
    arms: tuple[Arm, ...]
    runemarks: frozenset[str]
    cover: int = 4
    ignores: str = ""

    def arm(self, name: str | None) -> Arm:
        """The weapon of that name, in capitals or not; the first without one. Raises ValueError for another."""
        if name is None:
            return self.arms[0]
        found = next((arm for arm in self.arms if arm.name.casefold() == name.casefold()), None)
        if found is None:
            raise ValueError(f"{self.name} has no weapon '{name[:60]}'; it has {', '.join(a.name for a in self.arms)}")
        return found


def body(
    card: dict[str, Any], blessing: dict[str, Any] | None = None, trait: dict[str, Any] | None = None,
    chosen: str | None = None,
) -> Body:  # fmt: skip
    """A fighter from the data of its card, its blessing and its battle trait; `chosen` is the blessed weapon's name.

    Raises ValueError for a card of another kind, and for a trait of a runemark that the fighter does not have.
    """
    fighter = model(card, Fighter)
    arms = tuple(map(arm_of, fighter.weapons))
    plain = Body(
        fighter.name,
        fighter.stats.move,
        fighter.stats.toughness,
        fighter.stats.wounds,
        arms,
        frozenset((*fighter.runemarks, fighter.faction)),
    )
    if trait is not None:
        held = model(trait, Trait)
        if held.runemark not in (fighter.faction, fighter.alliance):
            raise ValueError(f"{fighter.name} cannot have '{held.name}': it is for {held.runemark_name}")
        plain = changed(plain, held.changes)
    if blessing is not None:
        given = model(blessing, Blessing)
        plain = changed(plain, given.changes, blessed(plain, given, chosen))
    return plain


def blessed(fighter: Body, blessing: Blessing, chosen: str | None) -> str:
    """The name of the weapon that a blessing is for: the one named, or the first that it may be for."""
    arms = {change.weapon for change in blessing.changes}
    may = [arm for arm in fighter.arms if all(_fits(arm, each) for each in arms)]
    if chosen is not None:
        named = fighter.arm(chosen)
        if named in may:
            return named.name
    if not may:
        raise NoWeaponError(f"{fighter.name} has no weapon that '{blessing.name}' could better")
    return may[0].name


def changed(fighter: Body, changes: Iterable[Change], one: str = "") -> Body:
    """The fighter after some changes; `one` is the weapon that a change of a single weapon is for."""
    for change in changes:
        fighter = fighter._replace(
            move=max(0, fighter.move + change.move),
            toughness=max(1, fighter.toughness + change.toughness),
            wounds=max(1, fighter.wounds + change.wounds),
            arms=tuple(_bettered(arm, change, one) for arm in fighter.arms),
            cover=change.take_cover or fighter.cover,
            ignores=change.no_cover or fighter.ignores,
        )
    return fighter


def _bettered(arm: Arm, change: Change, one: str) -> Arm:
    if not _fits(arm, change.weapon) or (change.weapon.startswith("one") and arm.name != one):
        return arm
    return arm._replace(
        attacks=max(1, arm.attacks + change.attacks),
        strength=max(1, arm.strength + change.strength),
        damage=max(0, arm.damage + change.damage),
        critical=max(0, arm.critical + change.critical),
    )


def _fits(arm: Arm, arms: str) -> bool:
    """Whether a change of such weapons can be one of this weapon."""
    sort = arms.removeprefix("one-")
    return sort in ("any", "one") or (sort == "melee") == arm.melee


def arm_of(weapon: Weapon) -> Arm:
    """A weapon of a card as its numbers."""
    return Arm(
        weapon.name,
        weapon.min_range,
        weapon.range,
        weapon.attacks,
        weapon.strength,
        weapon.damage,
        weapon.critical,
    )


def model(data: dict[str, Any], kind: type[Any]) -> Any:
    """The card that plain data gives. Raises ValueError for one of another kind."""
    if data.get("kind") != kind.KIND:
        raise ValueError(f"a card of the kind {data.get('kind')!r} cannot stand where a {kind.KIND} is asked for")
    return kind.model_validate({key: value for key, value in data.items() if key != "kind"})


def left_out(*cards: dict[str, Any] | None) -> tuple[str, ...]:
    """What the procedures leave to the players, each in a few words."""
    found = []
    for data in cards:
        if data is None:
            continue
        card = model(data, {kind.KIND: kind for kind in (Ability, Blessing, Trait)}[data["kind"]])
        if card.text and not card.changes:
            found.append(f"'{card.name}' is in words only")
    return tuple(found)
