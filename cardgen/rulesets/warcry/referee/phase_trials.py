"""Trials around attacks: initiative, ability dice, disengaging and falling."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from cardgen.referee.die import Die
from cardgen.referee.odds import OddsSolver, odds
from cardgen.referee.requests import Log, Procedure, Roll
from cardgen.referee.trial import OddsTable, PreparedTrial, RulesConfig
from cardgen.rulesets.warcry.cards import Trait
from cardgen.rulesets.warcry.referee.fighter import card_of_kind, fighter_stats
from cardgen.rulesets.warcry.referee.initiative_phase import (
    SET_NAMES,
    Hand,
    InitiativeOrder,
    Players,
    has_set,
    roll_hand,
    roll_initiative,
    settle_initiative,
    use_wild_dice,
)
from cardgen.rulesets.warcry.referee.situations import (
    DiceSituation,
    DisengageSituation,
    FallSituation,
    InitiativeSituation,
)

STRIKE_FACE = 4
# Impact damage by the die, in the direction that public notes give (ruling `impact-table`).
IMPACT_DAMAGE = {1: 0, 2: 0, 3: 0, 4: 1, 5: 1, 6: 3}
SET_WORDS = {2: "twice", 3: "three times", 4: "four times or more"}


def set_up_dice(situation: DiceSituation, config: RulesConfig) -> PreparedTrial:
    """One player's ability dice; wild dice lift the best sets."""

    def procedure() -> Procedure[Hand]:
        hand = yield from roll_hand(situation.dice, situation.wild, "Player")
        yield Log("{}", (hand,))
        return (yield from use_wild_dice(hand, "Player", "lift", single=False))

    def odds_tables() -> tuple[OddsTable, ...]:
        plain: Die[Hand] = odds(roll_hand, situation.dice, 0, "Player")
        reader = OddsSolver()
        lifted = plain.flat_map(
            lambda hand: reader.distribution(use_wild_dice, hand._replace(wild=situation.wild), "Player", "lift", False)
        )
        title = f"{situation.dice} dice"
        tables = [_singles_table(plain, title), _sets_table(plain, title, situation.value)]
        if situation.wild:
            tables.append(_sets_table(lifted, f"{title} and {situation.wild} wild", situation.value))
        return tuple(tables)

    return PreparedTrial(
        f"Ability dice: {situation.dice} dice, {situation.wild} wild",
        procedure,
        lambda hand: (str(hand),),
        lambda hand: {"singles": hand.singles, "sets": [[s.value, s.size] for s in hand.sets], "wild": hand.wild},
        odds_tables,
    )


def _singles_table(die: Die[Hand], title: str) -> OddsTable:
    singles = die.map(lambda hand: hand.singles)
    chances = dict(singles)
    parts = tuple((str(count), chances[count]) for count in sorted(chances))
    return OddsTable(f"Singles of {title}", parts, means=(("mean", singles.mean(int)),))


def _sets_table(die: Die[Hand], title: str, value: int) -> OddsTable:
    """At least so many dice alike, and a value that stands there exactly so often."""
    of = f" of {value} or more" if value > 1 else ""
    least = [(f"a {name} or better{of}", die.chance(_has_at_least(count, value))) for count, name in SET_NAMES.items()]
    exact = [(f"some value {words}{of}", die.chance(_has_exactly(count, value))) for count, words in SET_WORDS.items()]
    return OddsTable(f"Sets of {title}", chances=(*least, *exact))


def _has_at_least(count: int, value: int) -> Any:
    return lambda hand: has_set(hand, count, value)


def _has_exactly(count: int, value: int) -> Any:
    return lambda hand: any(each.size == count and each.value >= value for each in hand.sets)


def set_up_initiative(situation: InitiativeSituation, config: RulesConfig) -> PreparedTrial:
    """The initiative phase of two players."""
    traits = [card_of_kind(each, Trait) if each else None for each in (situation.trait_a, situation.trait_b)]
    first, second = (_initiative_effects(trait) for trait in traits)
    players = Players(
        ("A", "B"),
        (situation.dice_a, situation.dice_b),
        (situation.wild_a, situation.wild_b),
        ("reroll-ones" in first, "reroll-ones" in second),
        ("ties" in first, "ties" in second),
        config.policy["wild"],
    )

    def odds_tables() -> tuple[OddsTable, ...]:
        order = initiative_odds(players)
        wins = tuple(
            (f"{name} has the initiative", _first_chance(order, who)) for who, name in enumerate(players.names)
        )
        seized = order.chance(lambda end: end[1])
        kept = [order.mean(lambda end, who=who: end[2][who]) for who in (0, 1)]  # type: ignore[misc]
        means = tuple((f"mean wild dice that {name} has left", kept[who]) for who, name in enumerate(players.names))
        return (OddsTable("Initiative", wins, (("it is seized", seized),), means),)

    def outcome_lines(order: InitiativeOrder) -> tuple[str, ...]:
        hands = tuple(f"{name}: {hand}" for name, hand in zip(players.names, order.hands, strict=True))
        return (*hands, f"{players.names[order.first]} has the initiative{', seized' if order.seized else ''}")

    def outcome_data(order: InitiativeOrder) -> Any:
        return {"first": players.names[order.first], "seized": order.seized, "hands": [str(h) for h in order.hands]}

    in_words_only = tuple(f"'{t.name}' is in words only" for t in traits if t and not _initiative_effects(t))
    return PreparedTrial(
        "Initiative", lambda: roll_initiative(players), outcome_lines, outcome_data, odds_tables, in_words_only
    )


def _initiative_effects(trait: Trait | None) -> frozenset[str]:
    """What a battle trait does to the initiative roll."""
    changes = trait.changes if trait else ()
    return frozenset(change.initiative for change in changes if change.initiative)


def initiative_odds(players: Players) -> Die[tuple[int, bool, tuple[int, int]]]:
    """Who is first, whether it was seized, and the wild dice left.

    Hands that have as many singles are worked out once: sets matter only to wild dice that lift them, whichever.
    """
    reader = OddsSolver()
    one, other = (
        odds(roll_hand, players.dice[who], players.wild[who], players.names[who], players.rerolls[who]).map(
            lambda hand: hand._replace(sets=hand.sets if players.policy == "lift" else ())
        )
        for who in (0, 1)
    )
    one, other = (die.map(lambda hand: hand._replace(sets=_without_values(hand))) for die in (one, other))
    ends = one.flat_map(lambda a: other.flat_map(lambda b: reader.distribution(settle_initiative, players, (a, b))))
    return ends.map(lambda order: (order.first, order.seized, (order.hands[0].wild, order.hands[1].wild)))


def _without_values(hand: Hand) -> Any:
    """Sets without their values, as far as a wild die cares."""
    return tuple(each._replace(value=place) for place, each in enumerate(sorted(hand.sets, key=lambda s: s.size), 1))


def _first_chance(order: Die[tuple[int, bool, tuple[int, int]]], who: int) -> Fraction:
    return order.chance(lambda end: end[0] == who)


def set_up_disengage(situation: DisengageSituation, config: RulesConfig) -> PreparedTrial:
    """Strike Them Down: on 4+ the fighter that disengages is allocated D6 damage points before it moves."""
    fighter = fighter_stats(situation.fighter, situation.blessing)
    return _damage_trial("Strike Them Down", fighter.name, fighter.wounds, situation.damage, _strike_them_down)


def _strike_them_down(who: str) -> Procedure[int]:
    hit = yield Roll("strike", who, f"Strike Them Down, {STRIKE_FACE}+", wins=tuple(range(STRIKE_FACE, 7)))
    if not hit:
        return 0
    points = yield Roll("damage", who, "D6 damage")
    return int(points)


def set_up_fall(situation: FallSituation, config: RulesConfig) -> PreparedTrial:
    """Impact damage; Horns of Hashut lower the die by 2, to 1 at least."""
    fighter = fighter_stats(situation.fighter)
    trait = card_of_kind(situation.enemy_trait, Trait) if situation.enemy_trait else None
    lowered = sum(change.impact for change in trait.changes) if trait else 0
    low = config.rulings["impact-table"] == "low"

    def fallen(who: str) -> Procedure[int]:
        face = yield Roll("impact", who, "impact damage")
        shown = max(1, int(face) + lowered)
        return IMPACT_DAMAGE[7 - shown if low else shown]

    return _damage_trial("Impact damage", fighter.name, fighter.wounds, situation.damage, fallen)


def _damage_trial(title: str, name: str, wounds: int, before: int, procedure: Any) -> PreparedTrial:
    """Something that allocates damage points to one fighter."""
    if before >= wounds:
        raise ValueError(f"{name} has {wounds} Wounds: with {before} damage points it is taken down")
    left = wounds - before

    def outcome_lines(points: int) -> tuple[str, ...]:
        return (f"{name}: {points} damage{', taken down' if points >= left else ''}",)

    def odds_tables() -> tuple[OddsTable, ...]:
        die: Die[int] = odds(procedure, name)
        chances = dict(die)
        parts = tuple((str(points), chances[points]) for points in sorted(chances))
        down = ((f"{name} is taken down", die.chance(lambda points: points >= left)),)
        return (OddsTable(f"{title}: damage to {name}", parts, down, (("mean", die.mean(int)),)),)

    return PreparedTrial(f"{title}: {name}", lambda: procedure(name), outcome_lines, int, odds_tables)
