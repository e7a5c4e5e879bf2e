"""Initiative dice, wild dice, the initiative phase, and other trials of dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from operator import itemgetter
from typing import Annotated, Any, NamedTuple

from cardgen.game import (
    CardData,
    Decision,
    Die,
    Log,
    MemoizedCall,
    OddsSolver,
    OddsTable,
    Parameter,
    PreparedTrial,
    Procedure,
    Roll,
    RulesConfig,
    distribution_table,
    odds,
    quantity,
    roll_pool,
)
from cardgen.rulesets.warcry.cards import DICE, Trait
from cardgen.rulesets.warcry.effective import passive_changes, trait_in_force, traits_not_simulated
from cardgen.rulesets.warcry.referee.fighter import TRAITS, idle_cards

INITIATIVE_DICE = 6
# A set of two dice is a double, of three a triple, of four or more a quad.
SET_NAMES = dict(enumerate(DICE, 2))
LARGEST_SET = max(SET_NAMES)
KEEP, SINGLE = "keep it", "use it as a single"
REROLL, KEEP_DICE = "roll them again", "keep them"
# What may be rolled again: any of the 1s, all of them or none, or any single die.
ONES, ALL_ONES, ONE_DIE = "ones", "all-ones", "one-die"


class DiceSet(NamedTuple):
    """Ability dice of one value: 2, 3, or 4 of them.

    4 stands for more too, and 1 for a single that a wild die may lift. `lifted` says that a wild die has lifted it,
    which happens once at most.
    """

    value: int
    size: int
    lifted: bool = False

    def __str__(self) -> str:
        return f"{SET_NAMES.get(self.size, 'single')} of {self.value}"


class Hand(NamedTuple):
    """One player's dice after the initiative roll.

    Singles, sets by value, and the wild dice left. `values` are those of the singles that were rolled; wild dice that
    are used as singles have none.
    """

    singles: int
    sets: tuple[DiceSet, ...]
    wild: int = 0
    values: tuple[int, ...] = ()

    @property
    def dice(self) -> str:
        """The ability dice and wild dice in words."""
        sets = ", ".join(map(str, self.sets)) or "no sets"
        wild = f", {quantity(self.wild, 'wild die', 'wild dice')}" if self.wild else ""
        return f"{sets}{wild}"

    def __str__(self) -> str:
        return f"{quantity(self.singles, 'single')}, {self.dice}"


def hand_of(faces: tuple[int, ...], wild: int = 0) -> Hand:
    """Return the hand of some faces. Values shown once are singles, the others sets."""
    counts = Counter(faces)
    sets = tuple(DiceSet(value, min(count, LARGEST_SET)) for value, count in sorted(counts.items()) if count > 1)
    singles = tuple(value for value, count in sorted(counts.items()) if count == 1)
    return Hand(len(singles), sets, wild, singles)


def roll_dice(count: int, who: str) -> Procedure[tuple[int, ...]]:
    """Roll some initiative dice; return their faces in order."""
    no_faces: tuple[int, ...] = ()
    return (yield from roll_pool(count, Roll("die", who, "initiative die"), no_faces, _insert_face))


def _insert_face(faces: tuple[int, ...], face: int) -> tuple[int, ...]:
    return tuple(sorted((*faces, face)))


def roll_hand(count: int, wild: int, who: str, rerolls: tuple[str, ...] = ()) -> Procedure[Hand]:
    """Roll a player's initiative dice; return them as a hand.

    `rerolls` are what may be rolled again, once (see `initiative_rerolls`): what is advised gives the most singles on
    average.
    """
    faces = yield MemoizedCall(roll_dice, (count, who))
    options = _reroll_options(faces, rerolls)
    if len(options) > 1:
        default = max(options, key=lambda words: mean_singles(*options[words]))
        what = f"{faces.count(1)} of the dice show 1" if ONE_DIE not in rerolls else "a die may be rolled again"
        kept, rolled = options[(yield Decision("ones", who, what, tuple(options), default))]
        if rolled:
            faces = tuple(sorted((*kept, *(yield MemoizedCall(roll_dice, (rolled, who))))))
    return hand_of(faces, wild)


def _reroll_options(faces: tuple[int, ...], rerolls: Collection[str]) -> dict[str, tuple[tuple[int, ...], int]]:
    """Return by its words each choice for initiative dice in order: those kept, and how many are rolled again."""
    options = {KEEP_DICE: (faces, 0)}
    ones = faces.count(1)
    if ONES in rerolls:
        options |= {f"roll {count} of them again": (faces[count:], count) for count in range(1, ones)}
    if ones and {ONES, ALL_ONES} & {*rerolls}:
        options[REROLL] = (faces[ones:], ones)
    if ONE_DIE in rerolls:
        for place, face in enumerate(faces):
            options[f"roll a {face} again"] = ((*faces[:place], *faces[place + 1 :]), 1)
    return options


def initiative_rerolls(effects: Collection[str], ruling: str) -> tuple[str, ...]:
    """Return which initiative dice may be rolled again by effects of cards, under the ruling 'primal-beliefs'."""
    ones = ALL_ONES if ruling == "all" else ONES
    return tuple({"reroll-ones": ones, "reroll-one": ONE_DIE}[each] for each in sorted({*effects} - {"ties"}))


def mean_singles(kept: Sequence[int], rolled: int) -> Fraction:
    """Return how many faces are shown by one die alone on average, after some dice were rolled beside those kept."""
    other = Fraction(5, 6)
    never, once = other**rolled, rolled * (1 - other) * other ** (rolled - 1)
    return sum(({0: once, 1: never}.get(kept.count(face), Fraction()) for face in range(1, 7)), Fraction())


def lift_set(hand: Hand, lifted_set: DiceSet) -> Hand:
    """Return the hand after a wild die has lifted a set, or a single, which is not one any more."""
    lifted = DiceSet(lifted_set.value, lifted_set.size + 1, True)
    if lifted_set.size == 1:
        left = tuple(value for value in hand.values if value != lifted.value)
        return Hand(hand.singles - 1, tuple(sorted((*hand.sets, lifted))), hand.wild - 1, left)
    sets = tuple(lifted if each == lifted_set else each for each in hand.sets)
    return hand._replace(sets=sets, wild=hand.wild - 1)


def liftable_sets(hand: Hand, value: int = 1) -> tuple[DiceSet, ...]:
    """Return the sets and singles that a wild die can lift, the best last; `value` or more is better than less.

    One die to a set at most, and none beyond a quad. A single becomes a double.
    """
    sets = (each for each in hand.sets if not each.lifted and each.size < LARGEST_SET)
    candidates = (*sets, *(DiceSet(single, 1) for single in hand.values))
    return tuple(sorted(candidates, key=lambda each: (each.value >= value, each.size, each.value)))


def use_wild_dice(
    hand: Hand, who: str, policy: str, singles: int = 0, single_counts: bool = True, value: int = 1
) -> Procedure[Hand]:
    """Use or save each wild die; whoever saves one saves the rest.

    A die is one more single, or lifts a set or a single.

    By the `policy` 'lift' the best set is lifted, first those of `value` or more, and a single if there is none; by
    'seize' dice become singles until there are `singles` more; and by 'keep' they are saved. Without `single_counts` a
    single changes nothing; if nothing can be lifted either, nothing is asked.
    """
    wanted = hand.singles + singles
    for _ in range(hand.wild):
        sets = liftable_sets(hand, value)
        if not (sets or single_counts):
            break
        lifts = {f"make the {each} a {SET_NAMES[each.size + 1]}": each for each in sets}
        default = KEEP
        if policy == "lift" and sets:
            default = next(words for words, each in lifts.items() if each == sets[-1])
        elif policy == "seize" and hand.singles < wanted:
            default = SINGLE
        decision = yield Decision(
            "wild", who, "a wild die", (KEEP, *([SINGLE] if single_counts else []), *lifts), default
        )
        if decision == SINGLE:
            hand = hand._replace(singles=hand.singles + 1, wild=hand.wild - 1)
        elif decision == KEEP:
            break
        else:
            hand = lift_set(hand, lifts[decision])
    return hand


def has_set(hand: Hand, count: int, value: int = 1) -> bool:
    """Return whether a hand has a set of this size and value. Larger sets and higher values count too."""
    return any(each.size >= count and each.value >= value for each in hand.sets)


class Players(NamedTuple):
    """The two players: their dice, wild dice, and battle traits.

    `policy` is that of wild dice.

    `rerolls` are what they may roll again, `picks` are those who settle ties instead of a roll-off.
    """

    names: tuple[str, str]
    dice: tuple[int, int]
    wild: tuple[int, int]
    rerolls: tuple[tuple[str, ...], tuple[str, ...]]
    picks: tuple[bool, bool]
    policy: str


class InitiativeOrder(NamedTuple):
    """Who has the initiative, whether it was seized, and both hands."""

    first: int
    seized: bool
    hands: tuple[Hand, Hand]


def roll_initiative(players: Players) -> Procedure[InitiativeOrder]:
    """Play the initiative phase: rolls, wild dice, and seizing."""
    one = yield from roll_hand(players.dice[0], players.wild[0], players.names[0], players.rerolls[0])
    other = yield from roll_hand(players.dice[1], players.wild[1], players.names[1], players.rerolls[1])
    for name, hand in zip(players.names, (one, other), strict=True):
        yield Log("{}: {}", (name, hand))
    return (yield from settle_initiative(players, (one, other)))


def settle_initiative(players: Players, hands: tuple[Hand, Hand]) -> Procedure[InitiativeOrder]:
    """Settle the initiative of two hands, which may be seized.

    Most singles has the initiative, and a tie is rolled off. Whoever has it decides on wild dice first. Then singles
    are counted again: strictly more takes the initiative, newly equal is rolled off.
    """
    before = (hands[0].singles, hands[1].singles)
    first = (0 if before[0] > before[1] else 1) if before[0] != before[1] else (yield from _break_tie(players, hands))
    yield Log("{} has the initiative", (players.names[first],))
    second = 1 - first
    after = list(hands)
    # A single counts if the opponent may have as many, also once the other wild dice have made doubles of singles.
    fewest = hands[first].singles - min(len(hands[first].values), max(0, hands[first].wild - 1))
    is_threatened = hands[second].singles + hands[second].wild >= fewest
    after[first] = yield from use_wild_dice(hands[first], players.names[first], players.policy, 0, is_threatened)
    gap = after[first].singles - hands[second].singles
    # Singles help whoever is behind if enough wild dice make it a tie at least; one more than the gap takes it.
    useful = min(gap + 1, hands[second].wild) if 0 <= gap <= hands[second].wild else 0
    after[second] = yield from use_wild_dice(hands[second], players.names[second], players.policy, useful, useful > 0)
    counted = (after[0].singles, after[1].singles)
    leader = first
    if counted[second] > counted[first]:
        leader = second
    elif counted[0] == counted[1] and before[0] != before[1]:
        leader = yield from roll_off(players.names)
    if leader != first:
        yield Log("{} seizes the initiative", (players.names[leader],))
    return InitiativeOrder(leader, leader != first, (after[0], after[1]))


def _break_tie(players: Players, hands: tuple[Hand, Hand]) -> Procedure[int]:
    """Roll off a tie, unless a battle trait lets a player choose.

    If both have it, they roll off, and the winner chooses (battlepack: Master Manipulators). By default, players choose
    themselves; if both have wild dice and use them to seize the initiative, they choose their opponent, and seize it.
    """
    picker = players.picks.index(True) if sum(players.picks) == 1 else (yield from roll_off(players.names))
    if not any(players.picks):
        return picker
    is_seized = players.policy == "seize" and hands[0].wild > 0 and hands[1].wild > 0
    default = players.names[1 - picker if is_seized else picker]
    choice = yield Decision(
        "tie", players.names[picker], "who has the initiative after the tie", players.names, default
    )
    return players.names.index(str(choice))


def roll_off(names: tuple[str, str]) -> Procedure[int]:
    """Roll off; return the winner. A roll-off is rolled again until it is decided, so one even chance stands for it."""
    won = yield Roll("roll-off", "", f"roll-off: 1 if {names[0]} wins it, 2 if {names[1]}", 2)
    return int(won) - 1


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
    """Return the odds of sets by size. At least this size, and exactly this size."""
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
    ruling = config.rulings["primal-beliefs"]
    return Players(
        ("A", "B"),
        (situation.dice_a, situation.dice_b),
        (situation.wild_a, situation.wild_b),
        (initiative_rerolls(first, ruling), initiative_rerolls(second, ruling)),
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
            lambda hand: _without_values(hand) if players.policy == "lift" else hand._replace(sets=(), values=())
        )
        for who in (0, 1)
    )
    ends = one.flat_map(lambda a: other.flat_map(lambda b: reader.distribution(settle_initiative, players, (a, b))))
    return ends.map(lambda order: (order.first, order.seized, (order.hands[0].wild, order.hands[1].wild)))


def _without_values(hand: Hand) -> Hand:
    """Return the hand with numbers in place of the values of its dice, which do not matter to wild dice."""
    sizes = sorted(each.size for each in hand.sets)
    sets = tuple(DiceSet(place, size) for place, size in enumerate(sizes, 1))
    return hand._replace(sets=sets, values=tuple(range(len(sets) + 1, len(sets) + 1 + len(hand.values))))
