"""The order of the initiative phase: whoever has the initiative speaks first."""

from __future__ import annotations

from typing import Any

from cardgen.referee.play import play
from cardgen.rulesets.warcry.referee.initiative_phase import (
    SINGLE,
    DiceSet,
    Hand,
    InitiativeOrder,
    Players,
    settle_initiative,
)

PLAYERS = Players(("A", "B"), (6, 6), (1, 1), (False, False), (False, False), "seize")


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
