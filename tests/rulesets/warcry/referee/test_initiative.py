"""The order of the initiative phase: whoever has the initiative speaks first."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.referee.play import play
from cardgen.rulesets.warcry.referee.initiative import (
    SINGLE,
    DiceSet,
    Hand,
    InitiativeOrder,
    Players,
    hand_of,
    liftable_sets,
    settle_initiative,
    use_wild_dice,
)

PLAYERS = Players(("A", "B"), (6, 6), (1, 1), ((), ()), (False, False), "seize")


def settled(hands: tuple[Hand, Hand], singles_of: str = "") -> tuple[InitiativeOrder, list[str]]:
    """The end of a phase, and who was asked about wild dice; those in `singles_of` use theirs as singles."""
    asked: list[str] = []

    def answer(path: str, request: Any) -> Any:
        if not hasattr(request, "options"):
            return 1
        asked.append(request.who)
        return SINGLE if request.who in singles_of else request.default

    return play(settle_initiative(PLAYERS, hands), answer, lambda _: None), asked


def test_the_player_with_the_initiative_decides_on_wild_dice_first() -> None:
    for hands, order in (((3, 4), ["B", "A"]), ((4, 3), ["A", "B"])):
        one, other = (Hand(singles, (), 1) for singles in hands)
        assert settled((one, other))[1] == order


def test_wild_dice_that_can_change_nothing_are_not_asked_for() -> None:
    """A gap of two, one die each, and nothing to lift; a set is still asked for, but not a single."""
    assert settled((Hand(2, (), 1), Hand(4, (), 1)))[1] == []
    order, asked = settled((Hand(2, (DiceSet(3, 2),), 1), Hand(4, (), 1)))
    assert asked == ["A"]
    assert [hand.wild for hand in order.hands] == [1, 1]


def test_whoever_is_behind_knows_what_the_other_did() -> None:
    behind, ahead = Hand(2, (), 1), Hand(3, (), 1)
    assert settled((behind, ahead))[0].hands[0].wild == 0, "one die makes it a tie"
    assert settled((behind, ahead), "B")[0].hands[0].wild == 1, "now one die is not enough"


def test_a_wild_die_makes_a_single_a_double() -> None:
    """One die to a set at most; the single counts no longer, so that the opponent may have as many."""
    hand = use_wild(hand_of((2, 5, 6, 6, 6, 6), 3), "make the single of 2 a double", "keep it")
    assert hand == Hand(1, (DiceSet(2, 2, True), DiceSet(6, 4)), 2, (5,))
    assert liftable_sets(hand) == (DiceSet(5, 1),), "neither the quad nor what was lifted"
    assert use_wild(hand_of((1, 2, 3, 4, 5, 6), 1)) == Hand(5, (DiceSet(6, 2, True),), 0, (1, 2, 3, 4, 5))
    assert use_wild(hand_of((1, 2, 3, 4, 5, 5), 1)).sets == (DiceSet(5, 3, True),), "a set is lifted first"
    ahead, behind = hand_of((1, 2, 3, 4, 5, 6), 2), hand_of((1, 2, 3, 4, 5, 5), 0)
    order = play(settle_initiative(PLAYERS._replace(policy="lift"), (ahead, behind)), advised, lambda _: None)
    assert (order.first, order.hands[0].singles) == (0, 4), "newly equal, and the roll-off shows 1"


def use_wild(hand: Hand, *choices: str) -> Hand:
    """Return a hand after its wild dice are used, first for the choices, and then as advised."""
    wanted = [*choices]

    def answer(path: str, request: Any) -> Any:
        return wanted.pop(0) if wanted else request.default

    return play(use_wild_dice(hand, "A", "lift"), answer, lambda _: None)


def advised(path: str, request: Any) -> Any:
    """Answer by the policy; dice show 1."""
    return getattr(request, "default", 1)


MANIPULATORS = {"A": (True, False), "B": (False, True), "AB": (True, True), "": (False, False)}


@pytest.mark.parametrize(
    ("owners", "roll_off", "asked", "answer", "first"),
    [
        ("A", None, ["A"], "A", 0),
        ("A", None, ["A"], "B", 1),
        ("B", None, ["B"], "", 1),
        ("AB", 2, ["B"], "A", 0),
        ("AB", 1, ["A"], "", 0),
        ("", 2, [], "", 1),
    ],
)
def test_master_manipulators_choose_who_wins_a_tie(
    owners: str, roll_off: int | None, asked: list[str], answer: str, first: int
) -> None:
    """If both have the battle trait, they roll off, and the winner chooses."""
    players = PLAYERS._replace(wild=(0, 0), picks=MANIPULATORS[owners])
    rolls: list[Any] = []
    deciders: list[str] = []

    def reply(path: str, request: Any) -> Any:
        if not hasattr(request, "options"):
            rolls.append(request)
            return roll_off
        deciders.append(request.who)
        return answer or request.default

    order = play(settle_initiative(players, (Hand(3, ()), Hand(3, ()))), reply, lambda _: None)
    assert (order.first, deciders, len(rolls)) == (first, asked, roll_off is not None)


@pytest.mark.parametrize(
    ("wild", "policy", "first", "seized", "left"),
    [
        ((1, 1), "seize", 0, True, [0, 1]),
        ((1, 0), "seize", 0, False, [1, 0]),
        ((0, 1), "seize", 1, True, [0, 0]),
        ((1, 1), "keep", 0, False, [1, 1]),
    ],
)
def test_master_manipulators_choose_what_wild_dice_leave_them(
    wild: tuple[int, int], policy: str, first: int, seized: bool, left: list[int]
) -> None:
    """Whoever has a wild die takes the initiative from the player who was chosen after a tie."""
    players = PLAYERS._replace(wild=wild, picks=MANIPULATORS["A"], policy=policy)
    hands = (Hand(3, (), wild[0]), Hand(3, (), wild[1]))

    order = play(settle_initiative(players, hands), advised, lambda _: None)
    assert (order.first, order.seized, [hand.wild for hand in order.hands]) == (first, seized, left)
