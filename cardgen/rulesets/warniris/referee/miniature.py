"""A miniature: card and relic as plain numbers, with the effects that they have, sorted by trigger."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from cardgen.game import Card
from cardgen.rulesets.warniris.cards import Ability, Character, Minion, Once, Relic
from cardgen.rulesets.warniris.effect import Condition, Deeds, Effect, Weapon, given_keys
from cardgen.rulesets.warniris.weapon_line import Profile
from cardgen.rulesets.warniris.words import Meaning


class EffectsInForce(NamedTuple):
    """Effects, and how often they can be used."""

    effects: tuple[Effect, ...]
    once: Once


def effects_in_force(thing: Relic | Ability | Weapon) -> EffectsInForce:
    """Return the effects of a thing and how often it can be used; those of its text if it has none of its own.

    A text counts if each of its sentences was read exactly.
    """
    if thing.text and not thing.effects:
        # loaded here because it is not small, and few cards need it
        from cardgen.rulesets.warniris.wording.reader import effects_of_text

        read = effects_of_text(thing)
        if read:
            return EffectsInForce(read.effects, read.once)
    return EffectsInForce(thing.effects, getattr(thing, "once", False))


LOSS_PREVENTION, DAMAGE_CHANGE = "guards", "raising"
# The keys of a miniature's cards and weapons that odds know how to deal with.
_CARD_KEYS = frozenset({*Card.model_fields, "stats", "weapons", "abilities", "base", "height"})
_STATS_KEYS = frozenset({"mind", "body", "spirit", "wounds", "movement"})
_WEAPON_KEYS = frozenset({"name", "type", "range", "penetration", "damage", "healing", "effects", "text"})
_THING_KEYS = frozenset({*Card.model_fields, "name", "once", "effects", "text"})


@dataclass(frozen=True, eq=False, slots=True)
class BoundEffect:
    """One effect of a fighter: of its relic, of an ability, or of a weapon (`weapon` is that weapon's name, or '').

    `source` counts the things that effects come from, so that a thing for once only is used up as a whole.
    `when`, `span` and `during` are the effect's, `deeds` whom it concerns and what happens to them, `condition` what
    must hold. `is_constant` is true for what bears as long as its bearer stands; `prevents_loss` for what is asked
    before a point is lost, as it may take the loss away; `ignored_points` is how many points it takes away. `adds_up`
    is true if it does more when it is in force several times. `meaning` is what odds depend on because of it.
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
    is_constant: bool
    prevents_loss: bool
    ignored_points: int
    cost: int
    is_cumulative: bool
    adds_up: bool
    shares_die: bool
    meaning: Meaning

    @classmethod
    def of(
        cls, name: str, source: int, once: Once, weapon: str, effect: Effect, wounds: int, others: Sequence[Effect] = ()
    ) -> BoundEffect:
        """The power that an effect gives to a card with the given printed Wounds; `others` are those of the thing."""
        ignored = effect.bearer.ignore if effect.bearer else 0
        condition = effect.condition
        if isinstance(condition.wounds_at_most, str):
            condition = condition.model_copy(update={"wounds_at_most": condition.wound_limit(wounds)})
        return cls(
            name,
            source,
            once,
            weapon,
            effect.when,
            effect.span,
            effect.during,
            condition,
            effect.deeds,
            is_constant=effect.when == "always" and not effect.span and not effect.cost,
            prevents_loss=effect.when == "damaged" and not effect.span and ignored > 0,
            ignored_points=ignored,
            cost=effect.cost or 0,
            is_cumulative=effect.cumulative,
            adds_up=effect.cumulative
            and bool(
                effect.meaning & Meaning.SUM or (effect.during and any(deeds.acts_at_once for _, deeds in effect.deeds))
            ),
            shares_die=any(other.when == effect.when and other.condition.same_roll for other in others),
            meaning=effect.meaning,
        )

    @property
    def active_at(self) -> str:
        """The moment at which it does what it does."""
        return self.during or self.when

    @property
    def wound_limit(self) -> int | None:
        """The most Wounds that its bearer may have left, if it asks for that."""
        limit = self.condition.wounds_at_most
        return limit if isinstance(limit, int) else None

    @property
    def is_certain(self) -> bool:
        """Whether neither a choice nor a die decides if it starts."""
        return not (self.once or self.cost or self.condition.takes_chance)

    @property
    def is_guard(self) -> bool:
        """Whether it ignores points of Damage for a while."""
        return self.during == "damaged" and self.ignored_points > 0

    @property
    def depends_on_distance(self) -> bool:
        """Whether it chooses by distance."""
        return self.condition.range_over is not None or self.condition.range_within is not None

    @property
    def distance_words(self) -> str:
        """How far off it chooses: 'within 8 cm'."""
        over = f"over {self.condition.range_over} cm" if self.condition.range_over is not None else ""
        within = f"within {self.condition.range_within} cm" if self.condition.range_within is not None else ""
        return " but ".join(part for part in (over, within) if part)


@dataclass(frozen=True, eq=False)
class Miniature:
    """A miniature's card and relic. `name` tells it apart on the table."""

    name: str
    card: Character | Minion
    relic: Relic | None = None

    @property
    def is_minion(self) -> bool:
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
    def weapons_by_name(self) -> dict[str, Profile]:
        """The same by name."""
        return {weapon.name: weapon for weapon in self.weapons}

    @cached_property
    def effects(self) -> tuple[BoundEffect, ...]:
        """All effects, in the order relic, abilities, weapons."""
        return tuple(_bound_effects(self))

    @cached_property
    def constant_effects(self) -> tuple[BoundEffect, ...]:
        """The effects that always bear."""
        return tuple(effect for effect in self.effects if effect.is_constant)

    @cached_property
    def triggered_effects(self) -> dict[str, tuple[int, ...]]:
        """The numbers of the other effects, by the moment at which they start.

        Those that ignore are LOSS_PREVENTION, those that change the damage that is dealt DAMAGE_CHANGE.
        """
        numbers: dict[str, tuple[int, ...]] = {}
        for number, effect in enumerate(self.effects):
            if not effect.is_constant:
                trigger = (
                    LOSS_PREVENTION
                    if effect.prevents_loss
                    else DAMAGE_CHANGE
                    if _changes_damage(effect)
                    else effect.when
                )
                numbers[trigger] = (*numbers.get(trigger, ()), number)
        return numbers

    def effects_used_with(self, number: int) -> tuple[int, ...]:
        """Return the effects that start with one: for a limited thing, all of it at that moment."""
        first = self.effects[number]
        if not first.once:
            return (number,)
        same = (n for n, each in enumerate(self.effects) if (each.source, each.when) == (first.source, first.when))
        return tuple(same)

    @cached_property
    def is_declared(self) -> bool:
        """Whether odds know what each key of its cards, weapons and effects means; else all may matter to them."""
        things = (*([self.relic] if self.relic else ()), *getattr(self.card, "abilities", ()))
        lent = (deeds.weapon for effect in self.effects for _, deeds in effect.deeds if deeds.weapon)
        return (
            _CARD_KEYS.issuperset(given_keys(self.card))
            and _STATS_KEYS.issuperset(given_keys(self.card.stats))
            and all(_WEAPON_KEYS.issuperset(given_keys(weapon)) for weapon in (*self.weapons, *lent))
            and all(_THING_KEYS.issuperset(given_keys(thing)) for thing in things)
            and not any(effect.meaning & Meaning.UNDECLARED for effect in self.effects)
        )

    @cached_property
    def not_simulated(self) -> tuple[str, ...]:
        """What the procedures leave to the players, each in a few words."""
        return tuple(_not_simulated(self))


def _changes_damage(effect: BoundEffect) -> bool:
    return effect.when == "damaging" and not effect.span and any(deeds.damage for _, deeds in effect.deeds)


def _sources(miniature: Miniature) -> Iterator[tuple[str, Relic | Ability]]:
    if miniature.relic:
        yield miniature.relic.name, miniature.relic
    if isinstance(miniature.card, Character):
        for ability in miniature.card.abilities:
            yield ability.name, ability


def _bound_effects(miniature: Miniature) -> Iterator[BoundEffect]:
    number = 0
    for number, (name, thing) in enumerate(_sources(miniature), 1):
        effects, once = effects_in_force(thing)
        yield from (BoundEffect.of(name, number, once, "", effect, miniature.wounds, effects) for effect in effects)
    for count, weapon in enumerate(miniature.card.weapons, number + 1):
        effects = effects_in_force(weapon).effects
        yield from (
            BoundEffect.of(weapon.name, count, False, weapon.name, effect, miniature.wounds, effects)
            for effect in effects
        )


def starting_wounds(miniatures: Sequence[Miniature], sides: Sequence[int]) -> tuple[int, ...]:
    """The Wounds of each miniature at the start: the printed ones, and those that effects add."""
    more = [
        sum(deeds.wounds for deeds in _gifts(miniatures, sides, who, constant=True)) for who in range(len(miniatures))
    ]
    return tuple([each.wounds + added for each, added in zip(miniatures, more, strict=True)])


def more_reactions(sides: Sequence[int], who: int) -> tuple[str, ...]:
    """The values of `reactions` that let a miniature react once more; to another enemy only if it has several."""
    enemies = sum(side != sides[who] for side in sides)
    return ("more", "more-others") if enemies > 1 else ("more",)


def spare_reactions(miniatures: Sequence[Miniature], sides: Sequence[int]) -> tuple[int, ...]:
    """How many effects may let each miniature react once more."""
    return tuple(
        [
            sum(deeds.reactions in more_reactions(sides, who) for deeds in _gifts(miniatures, sides, who))
            for who in range(len(sides))
        ]
    )


def _gifts(
    miniatures: Sequence[Miniature], sides: Sequence[int], who: int, *, constant: bool = False
) -> Iterator[Deeds]:
    """Yield what effects may do to a miniature, of all or of those that always bear."""
    for owner, miniature in enumerate(miniatures):
        for effect in miniature.effects:
            for party, deeds in effect.deeds if effect.is_constant or not constant else ():
                is_own, is_same_side = owner == who, sides[owner] == sides[who]
                if is_own if party == "bearer" else (not is_own and is_same_side == (party in ("friend", "friends"))):
                    yield deeds


def _not_simulated(miniature: Miniature) -> Iterator[str]:
    from cardgen.game import in_words_only  # loaded here because most runs only need the numbers

    named = (*_sources(miniature), *((weapon.name, weapon) for weapon in miniature.card.weapons))
    things = [(name, thing) for name, thing in named if not (thing.text and effects_in_force(thing).effects)]
    yield from (f"{miniature.name}: {note}" for note in in_words_only(things, "effects"))
    for effect in miniature.effects:
        if any(deeds.free_attack for _, deeds in effect.deeds):
            yield f"{miniature.name}: the free Attacks of '{effect.name}'"
        if effect.is_constant and any(deeds.acts_at_once or deeds.ignore for _, deeds in effect.deeds):
            yield f"{miniature.name}: '{effect.name}' heals, deals, moves or ignores without saying when"
