"""The readings agree: rolls with odds, shared kernels with exact ones, and no float before formatting."""

from __future__ import annotations

import ast
import random
from collections import Counter
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest

import cardgen.referee
import cardgen.rulesets.warniris.referee
from cardgen.referee.odds import odds
from cardgen.referee.play import roll
from cardgen.referee.trial import OddsTable
from cardgen.rulesets.warniris.referee import counter_bounds
from cardgen.rulesets.warniris.referee.duel import Duel
from cardgen.rulesets.warniris.referee.situations import AttackSituation
from cardgen.rulesets.warniris.trials import AttackTrial
from tests.rulesets.warniris.referee.fights import A, B, case, relic, relic_names, sample, samples, table, terms

ONE_IN_A_MILLION = Fraction(1, 10**6)
ROLLS = 1500


def tail(count: int, rolls: int, chance: Fraction) -> Fraction:
    """The chance of a count as far from the mean as this or farther, on its side; exact."""
    n, d = chance.numerator, chance.denominator
    beyond = range(count, rolls + 1) if count >= chance * rolls else range(count + 1)
    return Fraction(sum(comb(rolls, k) * n**k * (d - n) ** (rolls - k) for k in beyond), d**rolls)


def assert_alike(rolled: Counter[Any], exact: dict[Any, Fraction]) -> None:
    assert rolled.keys() <= exact.keys()
    total = sum(rolled.values())
    for outcome, chance in exact.items():
        rounded = Fraction(round(chance * 10**6), 10**6) if chance.denominator > 10**6 else chance
        assert tail(rolled[outcome], total, rounded) * len(exact) * 2 > ONE_IN_A_MILLION, outcome


def situations() -> list[tuple[str, AttackSituation]]:
    bailiff, gravel = sample("character", "The Bailiff"), sample("character", "Old Gravel")
    halvane, quill = sample("character", "Halvane Doru"), sample("character", "Isolde Quill")
    brute = sample("minion", "Brute")
    return [
        ("halo", AttackSituation(A, B, relic=relic("Combat Drugs"), target_relic=relic("Iron Halo"))),
        ("reaction", AttackSituation(A, B, reaction="Bolt", target_relic=relic("Disruptor Module"))),
        ("line", AttackSituation(quill, gravel, "Bell-Tower Rifle", 30, True, (brute, brute))),
        ("charge", AttackSituation(bailiff, quill, "Boarding Hook", 9, crossed=2)),
        ("ignoring", AttackSituation(gravel, halvane, wounds=5, target_wounds=3, reaction="pommel")),
        ("late", AttackSituation(A, B, reaction="Bolt", moment="resist", wounds=1)),
    ]


@pytest.mark.share(2)
@pytest.mark.parametrize(("name", "situation"), situations(), ids=lambda value: value if isinstance(value, str) else "")
def test_rolls_are_as_frequent_as_the_odds_say(name: str, situation: AttackSituation) -> None:
    attack = AttackTrial(situation, terms())
    everybody = range(len(attack.game.miniatures))
    rolled = Counter(roll(attack.procedure(), f"{name} {n}").counters[: len(everybody)] for n in range(ROLLS))
    exact = odds(attack.procedure).map(lambda state: state.counters[: len(everybody)])
    assert len(exact.weights) > 1
    assert_alike(rolled, dict(exact))


def test_rolled_duels_are_as_frequent_as_the_odds_say() -> None:
    matter = Duel(table((A, relic("Sacred Chalice")), (B, relic("Iron Halo")), records=False))
    rolled = Counter(roll(matter.play(0), f"{n}").winner for n in range(600))
    assert_alike(rolled, dict(matter.odds(0).map(lambda end: end.winner)))


def test_what_chance_does_not_allow_is_found() -> None:
    with pytest.raises(AssertionError):
        assert_alike(Counter({True: 700, False: 300}), {True: Fraction(1, 2), False: Fraction(1, 2)})


def test_states_that_share_a_kernel_come_out_as_they_would_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds on what steps see of the counters save time and change nothing: on all sample cards, with relics."""
    dice = random.Random(8)
    people = [*samples("character"), *samples("minion")]
    relics: list[str | None] = [None, *relic_names()]

    def bearing(one: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any] | None]:
        return one, relic(dice.choice(relics)) if one["kind"] == "character" else None

    pairs = [(bearing(one), bearing(dice.choice(people))) for one in people]
    duels = [(pair, dice.randint(0, 1), {"moment": dice.choice(["before", "hit", "resist"])}) for pair in pairs]

    def worked_out() -> list[Any]:
        return [Duel(table(*pair, records=False, policy=policy), 2).odds(first) for pair, first, policy in duels]

    known = worked_out()

    def unbounded(given: Any, *_: Any, **__: Any) -> tuple[None, ...]:
        return (None,) * len(given.initial_state().counters)

    for name in ("of_effects", "of_action", "of_attack"):
        monkeypatch.setattr(counter_bounds, name, unbounded)
    assert known == worked_out()


def figures() -> list[OddsTable]:
    matter = case("duel", a=A, b=B, relic_b=relic("Iron Halo"), turns=2)
    other = case("attack", attacker=A, target=B, target_relic=relic("Iron Halo"), reaction="Bolt")
    assert matter.odds is not None
    assert other.odds is not None
    return [*matter.odds(), *other.odds()]


def test_figures_are_fractions_and_never_become_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    def poisoned(self: Fraction) -> float:
        raise AssertionError("a float")

    monkeypatch.setattr(Fraction, "__float__", poisoned)
    values = [value for each in figures() for _, value in (*each.parts, *each.chances, *each.means)]
    assert values
    assert {type(value) for value in values} == {Fraction}


def floats(source: str) -> list[str]:
    """Everything in a module that makes a float, except the division of fractions, which the types hold."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            found.append(f"{node.lineno}: {node.value}")
        if isinstance(node, ast.Name) and node.id == "float":
            found.append(f"{node.lineno}: float")
        if isinstance(node, ast.ImportFrom) and node.module == "math":
            found += [f"{node.lineno}: {each.name}" for each in node.names if each.name not in ("comb", "gcd", "lcm")]
        if isinstance(node, ast.Import):
            found += [
                f"{node.lineno}: {each.name}" for each in node.names if each.name in ("math", "statistics", "cmath")
            ]
    return found


def test_no_module_of_the_referee_makes_a_float() -> None:
    folders = [Path(module.__file__).parent for module in (cardgen.referee, cardgen.rulesets.warniris.referee)]  # type: ignore[arg-type]
    # Races of large collections are computed with floats within a proven bound, and scores are measured with them; all
    # others are exact.
    inexact = ("race.py", "pairings.py", "scores.py")
    files = [file for folder in folders for file in folder.glob("*.py") if file.name not in inexact]
    assert len(files) > 20
    assert [f"{file.name}: {each}" for file in files for each in floats(file.read_text(encoding="utf-8"))] == []
    assert floats("from math import sqrt\nx = 0.5 + float(1)") != []
