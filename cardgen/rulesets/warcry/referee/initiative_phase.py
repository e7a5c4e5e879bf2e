"""The initiative phase: singles, ability dice, wild dice, and seizing."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from cardgen.game import Decision, Log, MemoizedCall, Procedure, Roll, quantity, roll_pool
from cardgen.rulesets.warcry.cards import DICE

INITIATIVE_DICE = 6
# A set of two dice is a double, of three a triple, of four or more a quad.
SET_NAMES = dict(enumerate(DICE, 2))
LARGEST_SET = max(SET_NAMES)
KEEP, SINGLE = "keep it", "use it as a single"
REROLL, KEEP_ONES = "roll them again", "keep them"


class DiceSet(NamedTuple):
    """Ability dice of one value: 2, 3, or 4 of them.

    4 stands for more too. `lifted` says that a wild die has lifted it, which happens once at most.
    """

    value: int
    size: int
    lifted: bool = False

    def __str__(self) -> str:
        return f"{SET_NAMES[self.size]} of {self.value}"


class Hand(NamedTuple):
    """One player's dice after the initiative roll.

    Singles, sets by value, and the wild dice left.
    """

    singles: int
    sets: tuple[DiceSet, ...]
    wild: int = 0

    @property
    def dice(self) -> str:
        """The ability dice and wild dice in words."""
        sets = ", ".join(map(str, self.sets)) or "no sets"
        wild = f", {quantity(self.wild, 'wild die', 'wild dice')}" if self.wild else ""
        return f"{sets}{wild}"

    def __str__(self) -> str:
        return f"{quantity(self.singles, 'single')}, {self.dice}"


def hand_of(faces: tuple[int, ...], wild: int = 0) -> Hand:
    """Return the hand of some faces.

    Values shown once are singles, the others sets.
    """
    counts = Counter(faces)
    sets = tuple(DiceSet(value, min(count, LARGEST_SET)) for value, count in sorted(counts.items()) if count > 1)
    return Hand(sum(count == 1 for count in counts.values()), sets, wild)


def roll_dice(count: int, who: str) -> Procedure[tuple[int, ...]]:
    """Roll some initiative dice; return their faces in order."""
    no_faces: tuple[int, ...] = ()
    return (yield from roll_pool(count, Roll("die", who, "initiative die"), no_faces, _insert_face))


def _insert_face(faces: tuple[int, ...], face: int) -> tuple[int, ...]:
    return tuple(sorted((*faces, face)))


def roll_hand(count: int, wild: int, who: str, rerolls: bool = False) -> Procedure[Hand]:
    """Roll a player's initiative dice; return them as a hand.

    With `rerolls` the 1s may be rolled again, once: that is advised where there are several, for a lone 1 is a single.
    """
    faces = yield MemoizedCall(roll_dice, (count, who))
    ones = faces.count(1)
    if rerolls and ones:
        default = REROLL if ones > 1 else KEEP_ONES
        decision = yield Decision("ones", who, f"{ones} of the dice show 1", (REROLL, KEEP_ONES), default)
        if decision == REROLL:
            rerolled = yield MemoizedCall(roll_dice, (ones, who))
            faces = tuple(sorted((*faces[ones:], *rerolled)))
    return hand_of(faces, wild)


def lift_set(hand: Hand, lifted_set: DiceSet) -> Hand:
    """Return the hand after a wild die has lifted a set."""
    sets = tuple(DiceSet(s.value, s.size + 1, True) if s == lifted_set else s for s in hand.sets)
    return Hand(hand.singles, sets, hand.wild - 1)


def liftable_sets(hand: Hand, value: int = 1) -> tuple[DiceSet, ...]:
    """Return the sets that a wild die can lift, the best last; those of `value` or more are better than others.

    One die to a set at most, and none beyond a quad.
    """
    candidates = (each for each in hand.sets if not each.lifted and each.size < LARGEST_SET)
    return tuple(sorted(candidates, key=lambda each: (each.value >= value, each.size, each.value)))


def use_wild_dice(
    hand: Hand, who: str, policy: str, singles: int = 0, single_counts: bool = True, value: int = 1
) -> Procedure[Hand]:
    """Use or save each wild die; whoever saves one saves the rest.

    A die is one more single, or lifts a set.

    By the `policy` 'lift' the best set is lifted, first those of `value` or more; by 'seize' dice become singles until
    there are `singles` more; and by 'keep' they are saved. Without `single_counts` a single changes nothing; if no set
    can be lifted either, nothing is asked.
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
            hand = Hand(hand.singles + 1, hand.sets, hand.wild - 1)
        elif decision == KEEP:
            break
        else:
            hand = lift_set(hand, lifts[decision])
    return hand


def has_set(hand: Hand, count: int, value: int = 1) -> bool:
    """Return whether a hand has a set of this size and value.

    Larger sets and higher values count too.
    """
    return any(each.size >= count and each.value >= value for each in hand.sets)


class Players(NamedTuple):
    """The two players: their dice, wild dice, and battle traits.

    `policy` is that of wild dice.

    `rerolls` are those who roll each 1 again, `picks` those who settle ties instead of a roll-off.
    """

    names: tuple[str, str]
    dice: tuple[int, int]
    wild: tuple[int, int]
    rerolls: tuple[bool, bool]
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
    first = (0 if before[0] > before[1] else 1) if before[0] != before[1] else (yield from _break_tie(players))
    yield Log("{} has the initiative", (players.names[first],))
    second = 1 - first
    after = list(hands)
    is_threatened = hands[second].singles + hands[second].wild >= hands[first].singles
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
        leader = yield from _roll_off(players)
    if leader != first:
        yield Log("{} seizes the initiative", (players.names[leader],))
    return InitiativeOrder(leader, leader != first, (after[0], after[1]))


def _break_tie(players: Players) -> Procedure[int]:
    """Roll off a tie, unless a battle trait lets a player choose.

    If both have it, they roll off, and the winner chooses (battlepack: Master Manipulators). By default, players choose
    themselves.
    """
    picker = players.picks.index(True) if sum(players.picks) == 1 else (yield from _roll_off(players))
    if not any(players.picks):
        return picker
    name = players.names[picker]
    choice = yield Decision("tie", name, "who has the initiative after the tie", players.names, name)
    return players.names.index(str(choice))


def _roll_off(players: Players) -> Procedure[int]:
    """Roll off; return the winner.

    A roll-off is rolled again until it is decided, so one even chance stands for it.
    """
    won = yield Roll("roll-off", "", f"roll-off: 1 if {players.names[0]} wins it, 2 if {players.names[1]}", 2)
    return int(won) - 1
