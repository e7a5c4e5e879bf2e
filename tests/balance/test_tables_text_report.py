from __future__ import annotations

import re

import pytest

from cardgen.balance import tables
from cardgen.balance.report import BalanceReport
from cardgen.balance.strengths import agreement_words
from cardgen.balance.tables import as_text
from tests.balance.fighters import CHEAP, DEAR


def test_a_small_collection_is_listed_in_full(report: BalanceReport) -> None:
    text = "\n".join(as_text(report))
    assert all(f"{rank:>3}. " in text for rank in range(1, 12))
    assert "too strong for the cost: 1\n" in text
    assert f"  {CHEAP} (60): 66.7 %, usual" in text
    assert f"  {DEAR} (170): " in text
    assert "; nobody beats it" in text or "best counter: " in text
    assert re.search(r"^strength (follows cost \w+|hardly follows cost) \(rank correlation -?[01]\.\d\d\)$", text, re.M)
    assert "by faction" in text
    assert "weapons.Axe.damage 2 -> 1 (" in text
    assert "teams of up to 300 points, 20 battles for every two groups; errors hold in 95 of 100 cases:" in text
    assert "--full" not in text


def test_a_large_collection_shows_the_ends(report: BalanceReport, monkeypatch: pytest.MonkeyPatch) -> None:
    full = as_text(report)
    monkeypatch.setattr(tables, "SHORT_ABOVE", 10)
    monkeypatch.setattr(tables, "END_LINES", 2)
    short = as_text(report)
    ranks = [line[:4] for line in short if line[3:4] == "."]
    assert ranks == ["  1.", "  2.", " 10.", " 11."]
    assert short[-1] == "for all 11 cards, add --full, or make a page with --format html"
    assert len(short) < len(full)
    assert as_text(report, full=True) == full


@pytest.mark.parametrize(
    ("agreement", "words"),
    [
        (0.7, "follows cost closely"),
        (0.69, "follows cost loosely"),
        (0.3, "follows cost loosely"),
        (-0.9, "hardly follows cost"),
    ],
)
def test_words_of_the_agreement(agreement: float, words: str) -> None:
    assert agreement_words(agreement) == f"strength {words} (rank correlation {agreement:.2f})"
