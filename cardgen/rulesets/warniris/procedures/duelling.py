"""The trial of a duel: exact chances for both orders, or one duel rolled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from cardgen.referee.die import Die
from cardgen.rulesets.adjudication import Competitor, OddsTable, Pairing, PreparedTrial, RulesConfig
from cardgen.rulesets.warniris.procedures.cards import build_miniatures, not_simulated
from cardgen.rulesets.warniris.procedures.duel import Duel, DuelOutcome
from cardgen.rulesets.warniris.procedures.situations import DuelSituation
from cardgen.rulesets.warniris.procedures.table import Game


def set_up_duel(situation: DuelSituation, config: RulesConfig) -> PreparedTrial:
    """A duel of two cards with their relics."""
    miniatures = build_miniatures([(situation.a, situation.relic_a), (situation.b, situation.relic_b)])
    game = Game(miniatures, (0, 1), config.rulings, config.policy, distance=situation.distance)
    duel = Duel(game, situation.turns)
    a, b = game.name(0), game.name(1)

    def odds_tables() -> tuple[OddsTable, ...]:
        found: list[OddsTable] = []
        for first in (0, 1):
            found += duel_tables(duel.odds(first), (a, b), f"{game.name(first)} goes first")
        return tuple(found)

    def outcome_lines(end: DuelOutcome) -> tuple[str, ...]:
        winner = "a draw" if end.winner is None else f"{game.name(end.winner)} wins"
        fallen = [f"{game.name(who)} is eliminated" for who in (0, 1) if end.eliminated[who]]
        return (*fallen, f"{winner}; VP: {a} {end.vp[0]}, {b} {end.vp[1]}")

    def outcome_data(end: DuelOutcome) -> Any:
        return {"winner": end.winner, "fallen": list(end.eliminated), "vp": list(end.vp)}

    first = 0 if situation.first == "a" else 1
    return PreparedTrial(
        f"{a} against {b}", lambda: duel.play(first), outcome_lines, outcome_data, odds_tables, not_simulated(game)
    )


def duel_tables(die: Die[DuelOutcome], names: tuple[str, str], title: str) -> list[OddsTable]:
    """Who wins and who is eliminated, and the distribution of each side's VP."""
    winners = (*((f"{name} wins", who) for who, name in enumerate(names)), ("draw", None))
    winner_odds = die.map(lambda end: end.winner)
    parts = tuple((words, _chance(winner_odds, who)) for words, who in winners)
    eliminated = tuple(
        (f"{name} eliminated", _chance(die.map(_is_eliminated(who)), True)) for who, name in enumerate(names)
    )
    tables = [OddsTable(title, parts, eliminated)]
    for who, name in enumerate(names):
        points = die.map(_vp_of(who))
        parts_by_vp = tuple((str(vp), _chance(points, vp)) for vp in sorted(points.weights))
        means = ((f"mean VP of {name}", points.mean(int)),)
        tables.append(OddsTable(f"VP of {name}, {title}", parts_by_vp, means=means))
    return tables


def _is_eliminated(who: int) -> Callable[[DuelOutcome], bool]:
    return lambda end: end.eliminated[who]


def _vp_of(who: int) -> Callable[[DuelOutcome], int]:
    return lambda end: end.vp[who]


def _chance(die: Die[Any], outcome: object) -> Fraction:
    return die.chance(lambda end: end == outcome)


def round_robin(competitors: Sequence[Competitor], config: RulesConfig) -> Iterator[Pairing]:
    """A duel of every two entrants, in range of each other; both orders count alike."""
    miniatures = build_miniatures([(competitor.card, competitor.carries) for competitor in competitors])
    for one, other in combinations(range(len(miniatures)), 2):
        game = Game((miniatures[one], miniatures[other]), (0, 1), config.rulings, config.policy)
        duel = Duel(game)
        dice = [duel.odds(first).map(lambda end: end.winner) for first in (0, 1)]
        wins, loses = (sum((_chance(die, who) for die in dice), Fraction(0)) / 2 for who in (0, 1))
        yield Pairing(one, other, wins, loses)
