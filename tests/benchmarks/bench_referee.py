"""Benchmark of the referee: duel, table, balance, and transcripts.

The duel is compared with icepool, and the table includes the start of the program.
"""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path
from statistics import median
from typing import Any

import icepool

from cardgen.matches import session
from cardgen.matches.session import TrialRequest, prepare_trial, roll, trial_from_transcript
from cardgen.referee.transcript import parse_transcript, verify
from cardgen.referee.trial import RulesConfig
from cardgen.rulesets.warniris.referee.duel import Duel
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.miniature import Miniature
from cardgen.rulesets.warniris.referee.situations import build_miniatures
from tests.benchmarks.measure import CARDGEN, Row, cost, middle

CHALICE = {
    "kind": "relic",
    "name": "Chalice",
    "once": True,
    "effects": [{"when": "activation_start", "bearer": {"heal": 2}}],
}
HALO = {"kind": "relic", "name": "Halo", "effects": [{"when": "damaged", "if": {"roll": [1]}, "bearer": {"ignore": 1}}]}
A = {
    "kind": "character",
    "name": "A",
    "stats": {"M": 3, "B": 4, "S": 3, "W": 6, "Mo": 10},
    "weapons": [{"Halberd": "CW R1 P2 D2"}],
}
B = {
    "kind": "character",
    "name": "B",
    "stats": {"M": 2, "B": 3, "S": 4, "W": 5, "Mo": 10},
    "weapons": [{"Bolt": "P R10 P1 D2"}],
}


def milliseconds(work: Callable[[], object], times: int = 100) -> float:
    """Return the median processor time of several runs in ms.

    As in `timeit`, the garbage collector is off.
    """
    taken = []
    gc.collect()
    gc.disable()
    for _ in range(times):
        started = time.process_time()
        work()
        taken.append(time.process_time() - started)
    gc.enable()
    return median(taken) * 1000


def terms() -> RulesConfig:
    rules, adjudication = session.load_referee("warniris")
    return session.resolve_config(rules, adjudication, (), ())


def strike(hit: int, through: int, damage: int, halo: bool) -> Any:
    """Return the distribution of unresisted points."""
    stuck = damage @ (icepool.d6 > 1) if halo else icepool.Die([damage])
    none = icepool.Die([0])
    landed = icepool.Die({True: through, False: 6 - through}).map(lambda wounds: stuck if wounds else none)
    return icepool.Die({True: hit, False: 6 - hit}).map(lambda hits: landed if hits else none)


class IcepoolDuel:
    """The fastest known formulation of the test duel in icepool.

    It uses dice of whole exchanges, and caches kernels by state.
    """

    def __init__(self) -> None:
        a, b = strike(3, 5, 2, True), strike(4, 4, 2, False)
        back_a, back_b = strike(3, 5, 1, True), strike(4, 4, 1, False)
        first_a = icepool.tupleize(icepool.coin(4, 6), back_b, a)
        first_b = icepool.tupleize(icepool.coin(3, 6), back_a, b)
        steps = (self.first(first_a, 0), self.second(a, 0), self.first(first_b, 1), self.second(b, 1))
        self.steps = (self.chalice, *map(self.kept, steps))

    @staticmethod
    def chalice(state: Any) -> Any:
        a, b, left = state
        return (a + 2, b, 0) if left and 0 < a <= 4 and b else state

    @staticmethod
    def kept(step: Callable[[Any], Any]) -> Callable[[Any], Any]:
        known: dict[Any, Any] = {}

        def look(state: Any) -> Any:
            if state not in known:
                known[state] = step(state)
            return known[state]

        return look

    @staticmethod
    def second(die: Any, who: int) -> Callable[[Any], Any]:
        def step(state: Any) -> Any:
            a, b, left = state
            if not a or not b:
                return state
            if who == 0:
                return die.map(lambda lost: (a, max(0, b - lost), left))
            return die.map(lambda lost: (max(0, a - lost), b, left))

        return step

    @staticmethod
    def first(die: Any, who: int) -> Callable[[Any], Any]:
        def step(state: Any) -> Any:
            if not state[0] or not state[1]:
                return state
            actor, reactor, left = state[who], state[1 - who], state[2]

            def end(early: bool, back: int, forth: int) -> Any:
                one, other = actor, reactor
                if early:
                    one = max(0, one - back)
                    other = max(0, other - forth) if one else other
                else:
                    other = max(0, other - forth)
                    one = max(0, one - back) if other else one
                return (one, other, left) if who == 0 else (other, one, left)

            return die.map(end)

        return step

    def solve(self) -> Any:
        die = icepool.Die([(6, 5, 1)])
        for _ in range(5):
            for step in self.steps:
                die = die.map(step, star=False)
        return die


def _the_test_duel(_: Path) -> Iterator[Row]:
    switches = terms()
    pair = build_miniatures([(A, CHALICE), (B, HALO)])

    def ours() -> Duel:
        return Duel(Game(pair, (0, 1), switches.rulings, switches.policy))

    known, theirs = ours(), IcepoolDuel()
    assert known.odds(0).chance(lambda end: end.winner == 0).denominator > 1
    theirs.solve()
    cold, cold_theirs = milliseconds(lambda: ours().odds(0)), milliseconds(lambda: IcepoolDuel().solve())
    warm, warm_theirs = milliseconds(lambda: known.odds(0)), milliseconds(theirs.solve)
    yield "W-DUEL-1, what becomes of each state known to both", warm, "ms"
    yield "W-DUEL-1, the same as a share of icepool (asked for: 0.1)", warm / warm_theirs, "x"
    yield "W-DUEL-1, worked out anew by both, from cards and from dice", cold, "ms"
    yield "W-DUEL-1, the same as a share of icepool", cold / cold_theirs, "x"


def _odds_from_the_shell(folder: Path) -> Iterator[Row]:
    ours = middle([cost([*CARDGEN, "attack", "Sentinel", "Rifle", "Brute", "--odds"], folder) for _ in range(10)])
    yield "cardgen attack … --odds from the shell", ours.seconds, "s", 0.35
    yield "  the same, processor time", ours.processor, "s"


def crowd(count: int) -> tuple[Miniature, ...]:
    dice = random.Random(1)
    cards = []
    for place in range(count):
        stats = {letter: dice.randint(1, 5) for letter in "MBS"} | {"W": dice.randint(3, 9), "Mo": 10}
        kinds = ["CW R1", "RW R15", "P R12"]
        lines = [
            {f"W{n}": f"{dice.choice(kinds)} P{dice.randint(0, 3)} D{dice.randint(1, 3)}"}
            for n in range(dice.randint(1, 2))
        ]
        cards.append({"kind": "character", "name": f"Fighter {place}", "stats": stats, "weapons": lines})
    relics = [None, None, HALO]
    return build_miniatures([(card, dice.choice(relics)) for card in cards])


def _a_hundred_by_a_hundred(_: Path) -> Iterator[Row]:
    people, switches = crowd(100), terms()
    started = time.process_time()
    duels = 0
    for place, one in enumerate(people):
        for other in people[place:]:
            duel = Duel(Game((one, other), (0, 1), switches.rulings, switches.policy))
            for first in (0, 1):
                duel.odds(first)
                duels += 1
    yield f"100 by 100 duels: {duels} (asked for: 60)", time.process_time() - started, "s"


def _a_thousand_transcripts(folder: Path) -> Iterator[Row]:
    with chdir(folder):
        case = prepare_trial(TrialRequest("duel", {"a": "Queen Ysolve", "b": "The Bailiff", "relic_b": "Iron Halo"}))
        texts = [roll(case, f"{seed}").transcript for seed in range(1000)]
        started = time.process_time()
        for text in texts:
            transcript = parse_transcript("t", text)
            again = trial_from_transcript(transcript)
            assert verify(transcript, again.prepared.start(), again.prepared.outcome_data).is_finished
    yield "1,000 transcripts of duels verified", time.process_time() - started, "s", 10


PARTS = {
    "duel": _the_test_duel,
    "shell": _odds_from_the_shell,
    "crowd": _a_hundred_by_a_hundred,
    "transcripts": _a_thousand_transcripts,
}
