"""Benchmark of crowds: all pairs of Warcry fighters and of Warniris characters, with plain numpy as the peer.

`PAIRS` random pairs of each game are also computed as joint chains in fractions; the largest difference is shown.
"""

from __future__ import annotations

import os
import random
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cardgen.balance import report as page
from cardgen.balance.arena import Arena, ComputeOptions, compute_scores
from cardgen.balance.report import BalanceReport
from cardgen.balance.strengths import Balance, ClassRows, Strengths
from cardgen.matches import session
from cardgen.referee.trial import Competitor, GameTrials, RulesConfig
from tests.benchmarks.measure import Row
from tests.benchmarks.warniris_collection import kit_competitors, kit_crowd

FIGHTERS, CHARACTERS, ABLE, CROWD = 1345, 1000, 300, 10
PAIRS = int(os.environ.get("PAIRS", "450"))


def _races(_: Path) -> Iterator[Row]:
    fighters = _competitors(fighter, FIGHTERS)
    theirs = _seconds(lambda: numpy_races(fighters))
    yield f"plain numpy: races of {FIGHTERS:,} Warcry fighters without reactions", theirs, "s"
    never, first = _terms("warcry", "reactions=never"), _terms("warcry")
    ours = _seconds(lambda: _compute(fighters, *never))
    assert np.allclose(numpy_races(fighters[:50])[0], _compute(fighters[:50], *never)[0], atol=1e-12)
    yield "the same, ours", ours, "s", 5
    yield "the same as a share of plain numpy", ours / theirs, "x", 3
    yield f"{FIGHTERS:,} Warcry fighters with reactions", _seconds(lambda: _compute(fighters, *first)), "s", 300
    report = _seconds(lambda: page.as_html(_report(fighters, *never)))
    yield f"{FIGHTERS:,} Warcry fighters: fit, counters, clusters, and web page", report, "s"
    yield "memory at most", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "MiB", 500


def _characters(_: Path) -> Iterator[Row]:
    characters = _competitors(character, CHARACTERS)
    yield f"{CHARACTERS:,} Warniris characters", _seconds(lambda: _compute(characters, *_terms("warniris"))), "s", 300
    yield "memory at most", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "MiB", 500


def _kit(_: Path) -> Iterator[Row]:
    yield f"{ABLE} Warniris characters with the kit's abilities and relics, on the clock", _kit_crowd(), "s", 300
    yield "a pair of the kit's own, with nothing to share", _kit_pair() * 1000, "ms"


def _exact(_: Path) -> Iterator[Row]:
    for game, card_of in (("warcry", fighter), ("warniris", character)):
        difference = _difference(card_of, game) * 1e12
        yield f"{game}: largest difference from joint chains, 1e-12, pairs: {PAIRS}", difference, "", 1


PARTS = {"races": _races, "characters": _characters, "kit": _kit, "exact": _exact}


def _competitors(card_of: Callable[[random.Random, int], dict[str, Any]], count: int) -> list[Competitor]:
    return [Competitor(card_of(random.Random(number), number)) for number in range(count)]


def fighter(dice: random.Random, number: int) -> dict[str, Any]:
    """Return a random Warcry fighter."""
    reach = dice.choice(["1", "1", "1", "2", "3", "3-15"])
    line = f"sword R{reach} A{dice.randint(2, 5)} S{dice.randint(3, 6)} D{dice.randint(1, 3)}/{dice.randint(3, 6)}"
    stats = {"M": 4, "T": dice.randint(3, 6), "W": dice.randint(6, 38)}
    return {
        "kind": "fighter", "name": f"Fighter {number}", "faction": "chaos", "stats": stats, "points": 100,
        "weapons": [{"Blade": line}],
    }  # fmt: skip


def character(dice: random.Random, number: int) -> dict[str, Any]:
    """Return a random Warniris character without abilities."""
    stats = {letter: dice.randint(1, 5) for letter in "MBS"} | {"W": dice.randint(3, 9), "Mo": 10}
    lines = [
        {f"W{n}": f"{dice.choice(['CW R1', 'RW R15', 'P R12'])} P{dice.randint(0, 3)} D{dice.randint(1, 3)}"}
        for n in range(dice.randint(1, 2))
    ]
    return {"kind": "character", "name": f"Character {number}", "stats": stats, "weapons": lines}


def numpy_races(fighters: Sequence[Competitor], rounds: int = 4) -> Any:
    """Return the scores of all pairs without reactions, as plain numpy computes them."""
    stats = [competitor.card["stats"] for competitor in fighters]
    lines = [next(iter(competitor.card["weapons"][0].values())).split() for competitor in fighters]
    wounds, falls = np.array([each["W"] for each in stats]), dict[Any, Any]()
    size = len(fighters)
    standing = np.empty((size, size, rounds + 1))
    for one, (_, reach, dice, strength, damage) in enumerate(lines):
        for other, target in enumerate(stats):
            face = 4 + (int(strength[1:]) < target["T"]) - (int(strength[1:]) > target["T"])
            key = (int(dice[1:]) if "-" not in reach else 0, face, damage)
            if key not in falls:
                falls[key] = _numpy_walk(*key, wounds.max(), rounds)
            standing[one, other] = falls[key][:, target["W"] - 1]
    fall = standing[:, :, :-1] - standing[:, :, 1:]
    back = standing.transpose(1, 0, 2)
    first = (fall * back[:, :, :-1]).sum(2) - (fall.transpose(1, 0, 2) * standing[:, :, 1:]).sum(2)
    return 0.5 + (first - first.T) / 4


def _numpy_walk(dice: int, face: int, damage: str, most: int, rounds: int) -> Any:
    """Return the chances that less damage was dealt than each number of Wounds, after each activation."""
    hit, critical = map(int, damage[1:].split("/"))
    die = np.zeros(max(hit, critical) + 1)
    np.add.at(die, [0, hit, critical], [(face - 1) / 6, (6 - face) / 6, 1 / 6])
    blow, walk = np.ones(1), np.ones(1)
    for _ in range(2 * dice):
        blow = np.convolve(blow, die)
    after = [np.ones(most)]
    for _ in range(rounds):
        walk = np.convolve(walk, blow)
        after.append(np.cumsum(np.pad(walk, (0, most))[:most]))
    return np.array(after)


def _terms(game: str, *policy: str) -> tuple[GameTrials, RulesConfig]:
    rules, trials = session.load_referee(game)
    return trials, session.resolve_config(rules, trials, (), policy)


def _compute(competitors: Sequence[Competitor], trials: GameTrials, config: RulesConfig) -> list[list[float]]:
    assert trials.crowd
    return list(trials.crowd(competitors, config).rows)


def _kit_pair() -> float:
    """Return the mean seconds of a duel of the kit's characters, two of three of which carry a relic."""
    competitors = kit_competitors()
    pairs = len(competitors) * (len(competitors) - 1) // 2
    return _seconds(lambda: _compute(competitors, *_terms("warniris"))) / pairs


def _kit_crowd() -> float:
    """Return the seconds on the clock of a crowd of the kit's shape, with two processes."""
    rules, _ = session.load_referee("warniris")
    arena = Arena(rules, *_terms("warniris"))
    started = time.perf_counter()
    compute_scores(arena, kit_crowd(ABLE), ComputeOptions(jobs=2, cache=False))
    return time.perf_counter() - started


def _report(fighters: Sequence[Competitor], trials: GameTrials, config: RulesConfig) -> BalanceReport:
    rules, _ = session.load_referee("warcry")
    scores = compute_scores(Arena(rules, trials, config), fighters, ComputeOptions(cache=False))
    names = tuple((str(each.card["name"]), "") for each in fighters)
    balance = Balance(names, ClassRows(*scores), tuple(fighters))
    costs = [float(each.card["stats"]["W"]) for each in fighters]
    return BalanceReport(balance, Strengths(balance, costs, ("faction",)))


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def _difference(card_of: Callable[[random.Random, int], dict[str, Any]], game: str) -> float:
    """Return the largest difference between a crowd's scores and fractions of single duels."""
    trials, config = _terms(game)
    dice, worst = random.Random(game), 0.0
    assert trials.crowd
    for _ in range(-(-PAIRS // (CROWD * (CROWD - 1) // 2))):
        competitors = [Competitor(card_of(dice, number)) for number in range(CROWD)]
        crowd = trials.crowd(competitors, config)
        scores = list(crowd.rows)
        for pairing in trials.round_robin(competitors, config):
            low, high = sorted((crowd.classes[pairing.one], crowd.classes[pairing.other]))
            score = scores[low][high - low]
            exact = (1 + pairing.wins - pairing.loses) / 2
            worst = max(worst, abs(float(exact - (score if low == crowd.classes[pairing.one] else 1 - score))))
    return worst
