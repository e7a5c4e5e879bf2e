"""The trials around attacks: the initiative phase, ability dice, disengaging and falling."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from cardgen.referee.die import Die
from cardgen.referee.odds import Odds, odds
from cardgen.referee.requests import Procedure, Roll, Say
from cardgen.rulesets.adjudication import Figures, Matter, Terms
from cardgen.rulesets.warcry.kinds import Trait
from cardgen.rulesets.warcry.procedures.dice import NAMES, Hand, at_least, rolled, use_wild
from cardgen.rulesets.warcry.procedures.initiative import Order, Players, initiative, settle
from cardgen.rulesets.warcry.procedures.profile import body, model
from cardgen.rulesets.warcry.procedures.situations import (
    DiceSituation,
    DisengageSituation,
    FallSituation,
    InitiativeSituation,
)

STRIKES_FROM = 4
# Impact damage by the die, in the direction that public notes give (ruling `impact-table`).
IMPACT = {1: 0, 2: 0, 3: 0, 4: 1, 5: 1, 6: 3}
ALIKE = {2: "twice", 3: "three times", 4: "four times or more"}


def set_up_dice(situation: DiceSituation, terms: Terms) -> Matter:
    """One player's ability dice; wild dice lift the best sets."""

    def procedure() -> Procedure[Hand]:
        hand = yield from rolled(situation.dice, situation.wild, "Player")
        yield Say("{}", (hand,))
        return (yield from use_wild(hand, "Player", "lift", single=False))

    def figures() -> tuple[Figures, ...]:
        plain: Die[Hand] = odds(rolled, situation.dice, 0, "Player")
        reader = Odds()
        lifted = plain.then(
            lambda hand: reader.of(use_wild, hand._replace(wild=situation.wild), "Player", "lift", False)
        )
        title = f"{situation.dice} dice"
        tables = [_singles(plain, title), _sets(plain, title, situation.value)]
        if situation.wild:
            tables.append(_sets(lifted, f"{title} and {situation.wild} wild", situation.value))
        return tuple(tables)

    return Matter(
        f"Ability dice: {situation.dice} dice, {situation.wild} wild",
        procedure,
        lambda hand: (str(hand),),
        lambda hand: {"singles": hand.singles, "sets": [[s.value, s.size] for s in hand.sets], "wild": hand.wild},
        figures,
    )


def _singles(die: Die[Hand], title: str) -> Figures:
    singles = die.map(lambda hand: hand.singles)
    chances = dict(singles)
    parts = tuple((str(count), chances[count]) for count in sorted(chances))
    return Figures(f"Singles of {title}", parts, means=(("mean", singles.mean(int)),))


def _sets(die: Die[Hand], title: str, value: int) -> Figures:
    """At least so many dice alike, and a value that stands there exactly so often."""
    of = f" of {value} or more" if value > 1 else ""
    least = [(f"a {name} or better{of}", die.chance(_least(count, value))) for count, name in NAMES.items()]
    exact = [(f"some value {words}{of}", die.chance(_exact(count, value))) for count, words in ALIKE.items()]
    return Figures(f"Sets of {title}", chances=(*least, *exact))


def _least(count: int, value: int) -> Any:
    return lambda hand: at_least(hand, count, value)


def _exact(count: int, value: int) -> Any:
    return lambda hand: any(each.size == count and each.value >= value for each in hand.sets)


def set_up_initiative(situation: InitiativeSituation, terms: Terms) -> Matter:
    """The initiative phase of two players."""
    traits = [model(each, Trait) if each else None for each in (situation.trait_a, situation.trait_b)]
    first, second = (_on_dice(trait) for trait in traits)
    players = Players(
        ("A", "B"),
        (situation.dice_a, situation.dice_b),
        (situation.wild_a, situation.wild_b),
        ("reroll-ones" in first, "reroll-ones" in second),
        ("ties" in first, "ties" in second),
        terms.policy["wild"],
    )

    def figures() -> tuple[Figures, ...]:
        order = initiative_odds(players)
        wins = tuple((f"{name} has the initiative", _first(order, who)) for who, name in enumerate(players.names))
        seized = order.chance(lambda end: end[1])
        kept = [order.mean(lambda end, who=who: end[2][who]) for who in (0, 1)]  # type: ignore[misc]
        means = tuple((f"mean wild dice that {name} has left", kept[who]) for who, name in enumerate(players.names))
        return (Figures("Initiative", wins, (("it is seized", seized),), means),)

    def told(order: Order) -> tuple[str, ...]:
        hands = tuple(f"{name}: {hand}" for name, hand in zip(players.names, order.hands, strict=True))
        return (*hands, f"{players.names[order.first]} has the initiative{', seized' if order.seized else ''}")

    def kept(order: Order) -> Any:
        return {"first": players.names[order.first], "seized": order.seized, "hands": [str(h) for h in order.hands]}

    left = tuple(f"'{t.name}' is in words only" for t in traits if t and not _on_dice(t))
    return Matter("Initiative", lambda: initiative(players), told, kept, figures, left)


def _on_dice(trait: Trait | None) -> frozenset[str]:
    """What a battle trait does to the initiative roll."""
    changes = trait.changes if trait else ()
    return frozenset(change.initiative for change in changes if change.initiative)


def initiative_odds(players: Players) -> Die[tuple[int, bool, tuple[int, int]]]:
    """Who is first, whether it was seized, and the wild dice left.

    Hands that have as many singles are worked out once: sets matter only to wild dice that lift them, whichever.
    """
    reader = Odds()
    one, other = (
        odds(rolled, players.dice[who], players.wild[who], players.names[who], players.rerolls[who]).map(
            lambda hand: hand._replace(sets=hand.sets if players.policy == "lift" else ())
        )
        for who in (0, 1)
    )
    one, other = (die.map(lambda hand: hand._replace(sets=_shape(hand))) for die in (one, other))
    ends = one.then(lambda a: other.then(lambda b: reader.of(settle, players, (a, b))))
    return ends.map(lambda order: (order.first, order.seized, (order.hands[0].wild, order.hands[1].wild)))


def _shape(hand: Hand) -> Any:
    """Sets without their values, as far as a wild die cares."""
    return tuple(each._replace(value=place) for place, each in enumerate(sorted(hand.sets, key=lambda s: s.size), 1))


def _first(order: Die[tuple[int, bool, tuple[int, int]]], who: int) -> Fraction:
    return order.chance(lambda end: end[0] == who)


def set_up_disengage(situation: DisengageSituation, terms: Terms) -> Matter:
    """Strike Them Down: on 4+ the fighter that disengages is allocated D6 damage points before it moves."""
    fighter = body(situation.fighter, situation.blessing)
    return _harmed("Strike Them Down", fighter.name, fighter.wounds, situation.damage, _struck)


def _struck(who: str) -> Procedure[int]:
    hit = yield Roll("strike", who, f"Strike Them Down, {STRIKES_FROM}+", wins=tuple(range(STRIKES_FROM, 7)))
    if not hit:
        return 0
    points = yield Roll("damage", who, "D6 damage")
    return int(points)


def set_up_fall(situation: FallSituation, terms: Terms) -> Matter:
    """Impact damage; Horns of Hashut lower the die by 2, to 1 at least."""
    fighter = body(situation.fighter)
    trait = model(situation.enemy_trait, Trait) if situation.enemy_trait else None
    lowered = sum(change.impact for change in trait.changes) if trait else 0
    low = terms.rulings["impact-table"] == "low"

    def fallen(who: str) -> Procedure[int]:
        face = yield Roll("impact", who, "impact damage")
        shown = max(1, int(face) + lowered)
        return IMPACT[7 - shown if low else shown]

    return _harmed("Impact damage", fighter.name, fighter.wounds, situation.damage, fallen)


def _harmed(title: str, name: str, wounds: int, before: int, procedure: Any) -> Matter:
    """Something that allocates damage points to one fighter."""
    if before >= wounds:
        raise ValueError(f"{name} has {wounds} Wounds: with {before} damage points it is taken down")
    left = wounds - before

    def told(points: int) -> tuple[str, ...]:
        return (f"{name}: {points} damage{', taken down' if points >= left else ''}",)

    def figures() -> tuple[Figures, ...]:
        die: Die[int] = odds(procedure, name)
        chances = dict(die)
        parts = tuple((str(points), chances[points]) for points in sorted(chances))
        down = ((f"{name} is taken down", die.chance(lambda points: points >= left)),)
        return (Figures(f"{title}: damage to {name}", parts, down, (("mean", die.mean(int)),)),)

    return Matter(f"{title}: {name}", lambda: procedure(name), told, int, figures)
