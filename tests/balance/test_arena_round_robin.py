"""Crowds have the scores of small decks, in floating point."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cardgen.balance import arena
from cardgen.balance.arena import ComputeOptions
from cardgen.balance.report import BalanceReport, BalanceRequest, compute_report
from cardgen.balance.tables import as_csv, as_data, as_text
from cardgen.diagnostic import CardgenError
from cardgen.referee import markov_chain

CARDS = """
game: warcry
kind: fighter
cards:
"""
FIGHTER = """
- name: {name}
  faction: chaos
  stats: {{M: 4, T: {toughness}, W: {wounds}}}
  points: 100
  weapons: [{{Axe: axe R1 A{dice} S4 D1/4}}]
"""


def write(count: int = 6) -> None:
    numbers = [(3 + n % 3, 6 + 5 * n % 7, 1 + n % 4) for n in range(count)]
    cards = [FIGHTER.format(name=f"F{n}", toughness=t, wounds=w, dice=a) for n, (t, w, a) in enumerate(numbers)]
    Path("cards").mkdir(exist_ok=True)
    Path("cards/fighters.yaml").write_text(CARDS + "".join(cards), encoding="utf-8")


def compute() -> BalanceReport:
    return compute_report(BalanceRequest(game="warcry"), ComputeOptions(cache=False))


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cardgen.yaml").write_text("game: warcry\n", encoding="utf-8")
    write()


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_duel_with_too_many_states_is_named(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markov_chain, "MAX_STATES", 5)
    with pytest.raises(CardgenError) as caught:
        compute_report(BalanceRequest(game="warcry"), ComputeOptions(jobs=jobs, cache=False))
    (diagnostic,) = caught.value.diagnostics
    assert str(diagnostic.message) == "too many outcomes to compute the odds of 'F0' against 'F1'"
    assert diagnostic.help


def test_a_crowd_has_the_same_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = compute()
    monkeypatch.setattr(arena, "CROWD", 2)
    crowd = compute()
    assert (exact.balance.is_crowd, crowd.balance.is_crowd) == (False, True)
    assert [place for place, _ in crowd.balance.ranking] == [place for place, _ in exact.balance.ranking]
    assert as_text(crowd) == as_text(exact)
    rows, exact_rows = (list(csv.DictReader(io.StringIO("".join(as_csv(each))))) for each in (crowd, exact))
    assert len(rows) == 6 * 5
    for one, other in zip(rows, exact_rows, strict=True):
        assert (one["card"], one["against"], one["exact"]) == (other["card"], other["against"], "")
        assert abs(Fraction(one["decimal"]) - Fraction(other["exact"])) < Fraction(1, 10**11)
    assert as_data(crowd).keys() == as_data(exact).keys()


@pytest.mark.parametrize(("count", "is_crowd"), [(20, False), (21, True)])
def test_small_collections_have_fractions(count: int, is_crowd: bool) -> None:
    equals = (FIGHTER.format(name=f"F{n}", toughness=4, wounds=3, dice=1) for n in range(count))
    Path("cards/fighters.yaml").write_text(CARDS + "".join(equals), encoding="utf-8")
    assert compute().balance.is_crowd is is_crowd


def test_a_crowd_reports_its_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "CROWD", 2)
    steps: list[tuple[Any, ...]] = []
    compute_report(
        BalanceRequest(game="warcry"), ComputeOptions(cache=False, on_progress=lambda *step: steps.append(step))
    )
    assert [done for done, *_ in steps] == sorted({done for done, *_ in steps})
    assert steps[-1][0] == steps[-1][1]
    assert steps[-1][3]() == 0
