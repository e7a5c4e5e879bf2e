"""Every adjustment brings its card into the band, in duels of its own."""

from __future__ import annotations

import copy
from math import fsum
from pathlib import Path

import pytest

from cardgen.balance.arena import ComputeOptions
from cardgen.balance.report import BalanceReport, BalanceRequest, compute_report
from cardgen.matches import session
from cardgen.referee.trial import Competitor
from tests.balance import fighters
from tests.balance.fighters import CHEAP, DEAR


def test_both_outliers_can_be_adjusted(report: BalanceReport) -> None:
    names = report.balance.names
    changes = {names[place]: found for place, found in report.adjustments.items()}
    assert changes.keys() == {CHEAP, DEAR}
    assert changes[CHEAP][0].number == changes[DEAR][0].number == "cost"
    numbers = {each.number for each in changes[CHEAP]}
    assert numbers & {"stats.wounds", "weapons.Axe.attacks", "weapons.Axe.damage"}
    assert not any("range" in number or "move" in number for number in numbers)
    assert all(each.new < each.old for each in changes[CHEAP][1:])
    sizes = [abs(each.new - each.old) for each in changes[CHEAP][1:]]
    assert sizes == sorted(sizes)


def test_an_adjustment_holds_in_a_new_round_robin(
    report: BalanceReport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = report.balance.names.index(CHEAP)
    (change,) = [each for each in report.adjustments[place] if each.number == "weapons.Axe.attacks"]
    monkeypatch.chdir(tmp_path)
    fighters.write()
    cards = Path("cards/fighters.yaml")
    text = cards.read_text(encoding="utf-8")
    cards.write_text(text.replace(f"R1 A{change.old} S4 D2/4", f"R1 A{change.new} S4 D2/4"), encoding="utf-8")
    changed = compute_report(BalanceRequest(), ComputeOptions(cache=False))
    assert changed.strengths.by_place[place].strength == pytest.approx(change.strength, abs=1e-12)
    cost = report.strengths.costs[place]
    assert report.strengths.fit
    assert cost
    assert report.strengths.fit.side(cost, change.strength) == ""
    assert report.strengths.fit.side(cost, report.strengths.by_place[place].strength) == "strong"


def test_a_card_in_the_band_needs_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    fighters.write()
    report = compute_report(BalanceRequest(adjusted=("n3",)), ComputeOptions(cache=False))
    assert report.adjustments == {3: []}


def test_adjustments_are_those_of_a_search_through_all_values(report: BalanceReport) -> None:
    """Each legal value of each number, in duels of all cards; the nearest in the band counts, on the way to it."""
    balance, strengths = report.balance, report.strengths
    rules, trials = session.load_referee("warcry")
    config = session.resolve_config(rules, trials, (), ())
    place = balance.names.index(CHEAP)
    standing, fit = strengths.by_place[place], strengths.fit
    assert fit
    assert trials.crowd
    assert standing.cost is not None
    (weapon,) = balance.cards[place].card["weapons"]
    expected = set()
    for owner, key, most in (("stats", "toughness", 8), ("stats", "wounds", 40), ("weapon", "damage", 8)):
        old = balance.cards[place].card["stats"][key] if owner == "stats" else weapon[key]
        for step in (-1, 1):
            before, new = standing.strength, old + step
            while abs(new - old) <= 8 and 1 <= new <= most:
                card = copy.deepcopy(balance.cards[place].card)
                (card["stats"] if owner == "stats" else card["weapons"][0])[key] = new
                crowd = [Competitor(card), *(each for at, each in enumerate(balance.cards) if at != place)]
                scores = trials.crowd(crowd, config)
                strength = fsum(scores.row(0, scores.classes[1:])) / (len(crowd) - 1)
                if strength >= before:
                    break
                if not fit.side(standing.cost, strength):
                    expected.add(
                        (f"{owner}.{key}" if owner == "stats" else f"weapons.Axe.{key}", new, round(strength, 9))
                    )
                    break
                before, new = strength, new + step
    numbers = {number for number, _, _ in expected}
    assert {"stats.wounds", "weapons.Axe.damage"} <= numbers
    tried = {"stats.toughness", "stats.wounds", "weapons.Axe.damage"}
    found = {(each.number, each.new, round(each.strength, 9)) for each in report.adjustments[place]}
    assert {each for each in found if each[0] in tried} == expected
