"""The trials of Warcry, and policies for choices nobody is asked about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import Annotated, Any

from cardgen.game import (
    Benchmark,
    CardData,
    Die,
    GameTrials,
    Log,
    OddsSolver,
    OddsTable,
    Parameter,
    PreparedTrial,
    Procedure,
    RulesConfig,
    Ruling,
    Trial,
    TypicalCard,
    distribution_table,
    odds,
    quantity,
)
from cardgen.rulesets.warcry.cards import Trait
from cardgen.rulesets.warcry.effective import passive_changes, trait_in_force, traits_not_simulated
from cardgen.rulesets.warcry.referee.activation import set_up_activation, strike_them_down
from cardgen.rulesets.warcry.referee.attack import set_up_attack
from cardgen.rulesets.warcry.referee.battle.battle import set_up_battle
from cardgen.rulesets.warcry.referee.duel import cost, crowd, round_robin, set_up_duel
from cardgen.rulesets.warcry.referee.fighter import (
    BLESSINGS,
    FIGHTERS,
    SET_NAMES,
    TRAITS,
    FighterStats,
    Hand,
    InitiativeOrder,
    Players,
    fighter_stats,
    has_set,
    idle_cards,
    impact_damage,
    not_simulated,
    roll_hand,
    roll_initiative,
    settle_initiative,
    use_wild_dice,
)

SET_WORDS = {2: "twice", 3: "three times", 4: "four times or more"}


@dataclass(frozen=True, slots=True)
class DiceSituation:
    """The ability dice of one player."""

    dice: Annotated[int, Parameter("number", "Initiative dice.", low=1, high=10)] = 6
    wild: Annotated[int, Parameter("number", "Wild dice, all used to improve sets.", high=6)] = 0
    value: Annotated[int, Parameter("number", "Lowest value of a set that counts.", low=1, high=6)] = 1


def set_up_dice(situation: DiceSituation, config: RulesConfig) -> PreparedTrial:
    """Set up one player's ability dice; wild dice lift the best that count."""

    def procedure() -> Procedure[Hand]:
        hand = yield from roll_hand(situation.dice, situation.wild, "Player")
        yield Log("{}", (hand,))
        return (yield from use_wild_dice(hand, "Player", "lift", value=situation.value))

    return PreparedTrial(
        f"Ability dice: {quantity(situation.dice, 'die', 'dice')}, {situation.wild} wild",
        procedure,
        lambda hand: (str(hand),),
        lambda hand: {"singles": hand.singles, "sets": [[s.value, s.size] for s in hand.sets], "wild": hand.wild},
        lambda: tuple(_dice_tables(situation)),
    )


def _dice_tables(situation: DiceSituation) -> Iterator[OddsTable]:
    title, wild, solver = quantity(situation.dice, "die", "dice"), situation.wild, OddsSolver()
    plain: Die[Hand] = odds(roll_hand, situation.dice, 0, "Player")
    yield distribution_table(f"Singles of {title}", plain.map(lambda hand: hand.singles))
    yield _sets_table(plain, title, situation.value)
    if wild:
        lifted = plain.flat_map(
            lambda hand: solver.distribution(
                use_wild_dice, hand._replace(wild=wild), "Player", "lift", 0, True, situation.value
            )
        )
        yield _sets_table(lifted, f"{title} and {wild} wild", situation.value)


def _sets_table(die: Die[Hand], title: str, value: int) -> OddsTable:
    """Return the odds of sets by size.

    At least this size, and exactly this size.
    """
    of = f" of {value} or more" if value > 1 else ""
    least = [
        (f"a {name} or better{of}", die.chance(partial(has_set, count=count, value=value)))
        for count, name in SET_NAMES.items()
    ]
    exact = [
        (f"some value {words}{of}", die.chance(partial(_has_exactly, count=count, value=value)))
        for count, words in SET_WORDS.items()
    ]
    return OddsTable(f"Sets of {title}", chances=(*least, *exact))


def _has_exactly(hand: Hand, count: int, value: int) -> bool:
    return any(each.size == count and each.value >= value for each in hand.sets)


@dataclass(frozen=True, slots=True)
class InitiativeSituation:
    """The initiative phase of a battle round."""

    dice_a: Annotated[int, Parameter("number", "Initiative dice of player A.", low=1, high=10)] = 6
    dice_b: Annotated[int, Parameter("number", "Initiative dice of player B.", low=1, high=10)] = 6
    wild_a: Annotated[int, Parameter("number", "Wild dice of player A, including saved ones.", high=6)] = 1
    wild_b: Annotated[int, Parameter("number", "Wild dice of player B, including saved ones.", high=6)] = 1
    trait_a: Annotated[CardData | None, Parameter("card", "Battle trait of player A.", TRAITS)] = None
    trait_b: Annotated[CardData | None, Parameter("card", "Battle trait of player B.", TRAITS)] = None
    choice_a: Annotated[str | None, Parameter("word", "Alternative that the trait of player A offers.")] = None
    choice_b: Annotated[str | None, Parameter("word", "Alternative that the trait of player B offers.")] = None


def set_up_initiative(situation: InitiativeSituation, config: RulesConfig) -> PreparedTrial:
    """Set up the initiative phase of two players."""
    one, other = _traits_of(situation)
    players = _players(situation, config)
    notes = (*traits_not_simulated(one, other),)
    choices = {"trait_a": "choice_a", "trait_b": "choice_b"}
    idle = idle_cards(situation, choices, partial(_players, config=config), "initiative phase", notes)

    def outcome_lines(order: InitiativeOrder) -> tuple[str, ...]:
        hands = tuple(f"{name}: {hand}" for name, hand in zip(players.names, order.hands, strict=True))
        return (*hands, f"{players.names[order.first]} has the initiative{', seized' if order.seized else ''}")

    def outcome_data(order: InitiativeOrder) -> Any:
        return {"first": players.names[order.first], "seized": order.seized, "hands": [str(h) for h in order.hands]}

    return PreparedTrial(
        "Initiative",
        lambda: roll_initiative(players),
        outcome_lines,
        outcome_data,
        lambda: (_initiative_table(players),),
        (*notes, *idle),
    )


def _traits_of(situation: InitiativeSituation) -> tuple[Trait | None, Trait | None]:
    one = trait_in_force(situation.trait_a, situation.choice_a)
    return one, trait_in_force(situation.trait_b, situation.choice_b)


def _players(situation: InitiativeSituation, config: RulesConfig) -> Players:
    first, second = map(_initiative_effects, _traits_of(situation))
    return Players(
        ("A", "B"),
        (situation.dice_a, situation.dice_b),
        (situation.wild_a, situation.wild_b),
        ("reroll-ones" in first, "reroll-ones" in second),
        ("ties" in first, "ties" in second),
        config.policy["wild"],
    )


def _initiative_effects(trait: Trait | None) -> frozenset[str]:
    """Return what a battle trait does to the initiative roll."""
    return frozenset(change.initiative for change in passive_changes(trait) if change.initiative)


def _initiative_table(players: Players) -> OddsTable:
    order = initiative_odds(players)
    first, wild = order.map(lambda end: end[0]), order.map(lambda end: end[2])
    wins = tuple((f"{name} has the initiative", first.chance_of(who)) for who, name in enumerate(players.names))
    seized = order.chance(lambda end: end[1])
    means = tuple(
        (f"mean wild dice that {name} has left", wild.mean(itemgetter(who))) for who, name in enumerate(players.names)
    )
    return OddsTable("Initiative", wins, (("it is seized", seized),), means)


def initiative_odds(players: Players) -> Die[tuple[int, bool, tuple[int, int]]]:
    """Return who is first, whether it was seized, and wild dice left.

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
    """Return sets without their values, which do not matter to wild dice."""
    return tuple(each._replace(value=place) for place, each in enumerate(sorted(hand.sets, key=lambda s: s.size), 1))


@dataclass(frozen=True, slots=True)
class DisengageSituation:
    """A disengage action, answered with Strike Them Down."""

    fighter: Annotated[CardData, Parameter("card", "Fighter that disengages.", FIGHTERS)]
    damage: Annotated[int, Parameter("number", "Damage points it already has.", high=100)] = 0
    blessing: Annotated[CardData | None, Parameter("card", "Blessing of the fighter.", BLESSINGS)] = None


def set_up_disengage(situation: DisengageSituation, config: RulesConfig) -> PreparedTrial:
    """Set up Strike Them Down.

    On 4+ the fighter that disengages is allocated D6 damage points before it moves.
    """
    fighter = fighter_stats(situation.fighter, situation.blessing)
    notes = (*not_simulated(situation.blessing),)
    idle = idle_cards(situation, {"blessing": ""}, _wounds, "disengage action", notes)
    return _damage_trial("Strike Them Down", fighter, situation.damage, strike_them_down, (*notes, *idle))


def _wounds(situation: DisengageSituation | FallSituation) -> int:
    return fighter_stats(situation.fighter, situation.blessing).wounds


@dataclass(frozen=True, slots=True)
class FallSituation:
    """Impact damage."""

    fighter: Annotated[CardData, Parameter("card", "Fighter that suffers it.", FIGHTERS)]
    damage: Annotated[int, Parameter("number", "Damage points it already has.", high=100)] = 0
    blessing: Annotated[CardData | None, Parameter("card", "Blessing of the fighter.", BLESSINGS)] = None
    enemy_trait: Annotated[CardData | None, Parameter("card", "Enemy's battle trait.", TRAITS)] = None
    enemy_choice: Annotated[str | None, Parameter("word", "Alternative that the enemy's trait offers.")] = None


def set_up_fall(situation: FallSituation, config: RulesConfig) -> PreparedTrial:
    """Set up impact damage.

    Horns of Hashut lower the die by 2, to 1 at least.
    """
    fighter = fighter_stats(situation.fighter, situation.blessing)
    trait, lowered = trait_in_force(situation.enemy_trait, situation.enemy_choice), _impact_modifier(situation)
    low = config.rulings["impact-table"] == "low"
    notes = (*not_simulated(situation.blessing), *traits_not_simulated(trait))
    choices = {"blessing": "", "enemy_trait": "enemy_choice"}
    idle = idle_cards(situation, choices, lambda other: (_wounds(other), _impact_modifier(other)), "fall", notes)
    return _damage_trial(
        "Impact damage",
        fighter,
        situation.damage,
        lambda who: impact_damage(who, lowered, low_is_worse=low),
        (*notes, *idle),
    )


def _impact_modifier(situation: FallSituation) -> int:
    trait = trait_in_force(situation.enemy_trait, situation.enemy_choice)
    return sum(change.impact for change in passive_changes(trait))


def _damage_trial(
    title: str,
    fighter: FighterStats,
    before: int,
    procedure: Callable[[str], Procedure[int]],
    notes: Iterable[str],
) -> PreparedTrial:
    """Return a trial that allocates damage points to one fighter.

    It has some `before`.
    """
    fighter.require_standing(before)
    name, left = fighter.name, fighter.wounds - before

    def outcome_lines(points: int) -> Iterator[str]:
        yield f"{name}: {points} damage{', taken down' if points >= left else ''}"

    def tables(die: Die[int]) -> Iterator[OddsTable]:
        down = ((f"{name} is taken down", die.chance(lambda points: points >= left)),)
        yield distribution_table(f"{title}: damage to {name}", die, down)

    return PreparedTrial.of(f"{title}: {name}", lambda: procedure(name), outcome_lines, tables, notes)


_ROWS = ("is taken down", "mean damage")


def benchmarks(card: CardData, typical: TypicalCard) -> Iterator[Benchmark]:
    """Yield attacks with each weapon, and an attack on the fighter; for a blessing, those of a blessed fighter."""
    other = typical(*FIGHTERS)
    fighter, blessing = (other, card) if card["kind"] in BLESSINGS else (card, None)
    if other is None or fighter is None or fighter["kind"] not in FIGHTERS:
        return
    who = f"{fighter['name']} with {card['name']}" if blessing else fighter["name"]
    for weapon in fighter.get("weapons", ()):
        situation = {"attacker": fighter, "target": other, "weapon": weapon["name"], "blessing": blessing}
        title = f"{who}: {weapon['name']}" if blessing else weapon["name"]
        yield Benchmark(f"{title} at {other['name']}", "attack", situation, _ROWS)
    situation = {"attacker": other, "target": fighter, "target_blessing": blessing}
    yield Benchmark(f"{other['name']} at {who}", "attack", situation, _ROWS)


POLICIES: tuple[Ruling, ...] = (
    Ruling(
        "wild",
        "What are wild dice used for?",
        {
            "seize": "As singles by the player without the initiative, if that makes at least a tie; saved otherwise.",
            "lift": "To lift the best set.",
            "keep": "They are saved.",
        },
    ),
    Ruling(
        "reactions",
        "When does a fighter react in a duel?",
        {
            "first": "Counter to the first melee attack that it may answer; this costs an action.",
            "never": "Never.",
        },
    ),
)


TRIALS = GameTrials(
    trials={
        "attack": Trial.of(set_up_attack),
        "activation": Trial.of(set_up_activation),
        "duel": Trial.of(set_up_duel),
        "initiative": Trial.of(set_up_initiative),
        "dice": Trial.of(set_up_dice),
        "disengage": Trial.of(set_up_disengage),
        "fall": Trial.of(set_up_fall),
        "battle": Trial.of(set_up_battle, version=2),
    },
    policies=POLICIES,
    fighters=FIGHTERS,
    carriers=FIGHTERS,
    equipment=BLESSINGS,
    round_robin=round_robin,
    crowd=crowd,
    cost=cost,
    benchmarks=benchmarks,
    groups=("faction", "runemarks"),
    numbers=(
        *(f"stats.{name}" for name in ("toughness", "wounds")),
        *(f"weapons.{name}" for name in ("attacks", "strength", "damage", "critical")),
    ),
)
