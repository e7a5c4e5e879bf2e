"""Deployment: roll-offs, zones, and who goes first (sections 5 and 8)."""

from __future__ import annotations

from itertools import combinations

from cardgen.game import Decision, Log, Procedure, Roll
from cardgen.rulesets.warniris.referee.battle.table_notes import Span
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.state import State

DEFENDER_COUNT = 3
# The shapes of a deployment zone, by the ruling `zone-shape`.
ZONES = {"square": "a square of 20 cm in a corner", "quarter": "a quarter circle of 20 cm around a corner"}
# The least distance of two zones in opposite corners of 60 cm x 42 cm, by their shape, in whole cm.
ZONE_DISTANCES = {"square": 20, "quarter": 33}
# The greatest distance in a zone of either shape: the diagonal of the square, in whole cm.
ZONE_DIAGONAL = 28


def deploy_battle(game: Game) -> Procedure[int]:
    """Say who deploys where, and return who goes first in every turn."""
    zone_side = yield from roll_off(game, "deployment")
    yield Log(
        "{} picks a deployment zone ({}); {} places first, then in turns",
        (game.side_names[zone_side], ZONES[game.rulings["zone-shape"]], game.side_names[1 - zone_side]),
    )
    order_side = yield from roll_off(game, "first turn")
    options = tuple(game.side_names)
    first = yield Decision("who goes first", game.side_names[order_side], "who goes first in every turn", options)
    _note_zones(game)
    return options.index(first)


def _note_zones(game: Game) -> None:
    """Note that enemies start as far apart as their zones are, and friends in one zone."""
    apart, together = Span(low=ZONE_DISTANCES[game.rulings["zone-shape"]]), Span(high=ZONE_DIAGONAL)
    for (who, side), (other, other_side) in combinations(enumerate(game.sides), 2):
        game.notes.set_span(who, other, together if side == other_side else apart)


def deploy_last_stand(game: Game, state: State) -> Procedure[State]:
    """Choose three defenders, and say who deploys where."""
    state = yield from _choose_defenders(game, state)
    yield Log("{} deploy in the central circle, then the Horde along the four edges", (game.side_names[0],))
    return state


def _choose_defenders(game: Game, state: State) -> Procedure[State]:
    """Three Characters stand; whoever is more stays out (section 8)."""
    while len(standing := [i for i, side in enumerate(game.sides) if not side and state.stands(i)]) > DEFENDER_COUNT:
        names = tuple(game.name(who) for who in standing)
        out = yield Decision("stays out", game.side_names[0], "who stays out", names)
        who = standing[names.index(out)]
        state = state.change_counter(who, -state.wounds(who))
    return state


def roll_off(game: Game, key: str) -> Procedure[int]:
    """Both roll, the highest wins; equal dice are rolled again or the first wins (ruling `tie-rolls`)."""
    while True:
        first = yield Roll(f"{key} 1", game.side_names[0], f"roll-off for {key}")
        second = yield Roll(f"{key} 2", game.side_names[1], f"roll-off for {key}")
        if first != second or game.rulings["tie-rolls"] == "first":
            return 0 if first >= second else 1
