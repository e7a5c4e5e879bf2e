"""A card as the procedures see it: plain numbers, and its effects sorted by their moment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from cardgen.rulesets.warniris.effect import Condition, Deeds, Effect
from cardgen.rulesets.warniris.kinds import Ability, Character, Minion, Once, Relic, Weapon
from cardgen.rulesets.warniris.profile import Profile

ATTRIBUTES = ("mind", "body", "spirit")
# What is done to somebody at once; everything else bears on a number, a weapon or a die.
SUDDEN = ("heal", "deal", "move")
GUARDS, RAISING = "guards", "raising"


@dataclass(frozen=True, eq=False, slots=True)
class Power:
    """One effect of a fighter: of its relic, of an ability, or of a weapon (`weapon` is that weapon's name, or '').

    `source` counts the things that effects come from, so that a thing for once only is used up as a whole.
    `when`, `span` and `during` are the effect's, `deeds` whom it concerns and what happens to them, `condition` what
    must hold. `standing` is true for what bears as long as its bearer stands; `guards` for what is asked before a
    point is lost, as it may take the loss away; `ignored` is how many points it takes away.
    """

    name: str
    source: int
    once: Once
    weapon: str
    when: str
    span: str | None
    during: str | None
    condition: Condition
    deeds: tuple[tuple[str, Deeds], ...]
    standing: bool
    guards: bool
    ignored: int

    @classmethod
    def of(cls, name: str, source: int, once: Once, weapon: str, effect: Effect) -> Power:
        """The power that an effect of a card gives."""
        ignored = effect.bearer.ignore if effect.bearer else 0
        return cls(
            name,
            source,
            once,
            weapon,
            effect.when,
            effect.span,
            effect.during,
            effect.condition,
            effect.deeds,
            standing=effect.when == "always" and not effect.span,
            guards=effect.when == "damaged" and not effect.span and ignored > 0,
            ignored=ignored,
        )

    @property
    def bears(self) -> str:
        """The moment at which it does what it does."""
        return self.during or self.when


@dataclass(frozen=True, eq=False)
class Fighter:
    """A miniature's card and relic. `name` tells it apart on the table."""

    name: str
    card: Character | Minion
    relic: Relic | None = None

    @property
    def minion(self) -> bool:
        """True for a Minion, which never reacts."""
        return isinstance(self.card, Minion)

    @property
    def wounds(self) -> int:
        """The printed Wounds."""
        return self.card.stats.wounds

    @cached_property
    def weapons(self) -> tuple[Profile, ...]:
        """The weapons and powers of the card's lines."""
        return self.card.weapons

    @cached_property
    def powers(self) -> tuple[Power, ...]:
        """All effects, in the order relic, abilities, weapons."""
        return tuple(_powers(self))

    @cached_property
    def standing(self) -> tuple[Power, ...]:
        """The effects that always bear."""
        return tuple(power for power in self.powers if power.standing)

    @cached_property
    def started(self) -> dict[str, tuple[int, ...]]:
        """The numbers of the other effects, by the moment at which they start.

        Those that ignore are GUARDS, those that change the damage that is dealt RAISING.
        """
        found: dict[str, tuple[int, ...]] = {}
        for number, power in enumerate(self.powers):
            if not power.standing:
                moment = GUARDS if power.guards else RAISING if _raises(power) else power.when
                found[moment] = (*found.get(moment, ()), number)
        return found

    @cached_property
    def unadjudicated(self) -> tuple[str, ...]:
        """What the procedures leave to the players, each in a few words."""
        return tuple(_left_out(self))


def _raises(power: Power) -> bool:
    return power.when == "damaging" and not power.span and any(deeds.damage for _, deeds in power.deeds)


def _sources(fighter: Fighter) -> Iterator[tuple[str, Relic | Ability]]:
    if fighter.relic:
        yield fighter.relic.name, fighter.relic
    if isinstance(fighter.card, Character):
        for ability in fighter.card.abilities:
            yield ability.name, ability


def _powers(fighter: Fighter) -> Iterator[Power]:
    number = 0
    for number, (name, thing) in enumerate(_sources(fighter), 1):
        yield from (Power.of(name, number, thing.once, "", effect) for effect in thing.effects)
    for count, weapon in enumerate(fighter.card.weapons, number + 1):
        yield from (Power.of(weapon.name, count, False, weapon.name, effect) for effect in weapon.effects)


def _left_out(fighter: Fighter) -> Iterator[str]:
    texts: Iterable[tuple[str, Relic | Ability | Weapon]] = (
        *_sources(fighter),
        *((weapon.name, weapon) for weapon in fighter.card.weapons),
    )
    for name, thing in texts:
        if thing.text and not thing.effects:
            yield f"{fighter.name}: '{name}' is in words only"
    for power in fighter.powers:
        if power.standing and any(getattr(deeds, name) for _, deeds in power.deeds for name in (*SUDDEN, "ignore")):
            yield f"{fighter.name}: '{power.name}' heals, deals, moves or ignores without saying when"
