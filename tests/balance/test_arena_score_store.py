"""Stored scores: resumed, extended, and never trusted blindly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cardgen.balance import arena as round_robin
from cardgen.balance.arena import Arena, ComputeOptions
from cardgen.balance.report import BalanceReport, BalanceRequest, compute_report
from cardgen.runtime.user_folders import cache_folder
from tests.balance import fighters

PLAIN = 4
CARDS = PLAIN + 2
PAIRS = CARDS * (CARDS - 1) // 2


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    fighters.write(plain=PLAIN)


@pytest.fixture
def duels(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of duels in each row that is computed."""
    counts: list[int] = []
    rows_of = Arena.rows

    def rows(arena: Arena, *args: object, **options: bool) -> object:
        rows = rows_of(arena, *args, **options)  # type: ignore[arg-type]

        def row(one: int, others: Sequence[int]) -> object:
            counts.append(sum(other != one for other in others))
            return rows.row(one, others)

        return rows._replace(row=row)  # type: ignore[arg-type]

    monkeypatch.setattr(Arena, "rows", rows)
    return counts


def compute(*policy: str, **options: object) -> BalanceReport:
    return compute_report(BalanceRequest(switches=((), policy)), ComputeOptions(**options))  # type: ignore[arg-type]


def matrix(report: BalanceReport) -> list[list[object]]:
    return [[*row] for row in report.balance.scores]


def scores(report: BalanceReport) -> list[Any]:
    return [score for row in matrix(report) for score in row if score is not None]


@pytest.fixture
def crowd(monkeypatch: pytest.MonkeyPatch) -> None:
    """Floats for all collections."""
    monkeypatch.setattr(round_robin, "CROWD", 2)


@pytest.mark.parametrize("least", [2, 21])
def test_nothing_is_computed_twice(least: int, duels: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(round_robin, "CROWD", least)
    first = compute()
    assert sum(duels) == PAIRS
    duels.clear()
    assert matrix(compute()) == matrix(first)
    assert duels == []


@pytest.mark.usefixtures("crowd")
def test_a_changed_card_costs_its_own_row(duels: list[int]) -> None:
    compute()
    duels.clear()
    cards = Path("cards/fighters.yaml")
    text = cards.read_text(encoding="utf-8")
    cards.write_text(text.replace("W: 12}", "W: 13}"), encoding="utf-8")
    changed = compute()
    assert sum(duels) == CARDS - 1
    duels.clear()
    cards.write_text(text, encoding="utf-8")
    compute()
    assert duels == []  # The scores of the old card were kept.
    cards.write_text(text.replace("W: 12}", "W: 13}"), encoding="utf-8")
    assert matrix(compute(cache=False)) == matrix(changed)


@pytest.mark.usefixtures("crowd")
def test_other_points_and_names_cost_nothing(duels: list[int]) -> None:
    compute()
    duels.clear()
    fighters.write(plain=PLAIN, N1=99)
    cards = Path("cards/fighters.yaml")
    cards.write_text(cards.read_text(encoding="utf-8").replace("N2", "Zed"), encoding="utf-8")
    assert "Zed" in compute().balance.names
    assert duels == []


@pytest.mark.usefixtures("crowd")
def test_an_interrupted_round_robin_is_resumed(duels: list[int]) -> None:
    def interrupt(done: int, *_: object) -> None:
        if done > 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compute(on_progress=interrupt)
    before = sum(duels)
    assert 5 < before < PAIRS
    duels.clear()
    resumed = compute()
    assert sum(duels) == PAIRS - before
    assert matrix(resumed) == matrix(compute(cache=False))


@pytest.mark.usefixtures("crowd")
def test_another_policy_has_scores_of_its_own(duels: list[int]) -> None:
    compute()
    duels.clear()
    compute("reactions=never")
    assert sum(duels) == PAIRS


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "folder"])
@pytest.mark.usefixtures("crowd")
def test_a_damaged_file_counts_as_empty(damage: str, duels: list[int]) -> None:
    expected = matrix(compute())
    (file,) = (cache_folder() / "balance").iterdir()
    content = file.read_bytes()
    file.unlink()
    if damage == "folder":
        file.mkdir()
    else:
        flipped = bytes([*content[:-1], content[-1] ^ 1])
        file.write_bytes({"cut": content[:-9], "flip": flipped, "empty": b""}[damage])
    duels.clear()
    assert matrix(compute()) == expected
    assert sum(duels) == PAIRS


@pytest.mark.usefixtures("crowd")
def test_the_cache_can_be_left_alone() -> None:
    compute(cache=False)
    assert not (cache_folder() / "balance").exists()


@pytest.mark.usefixtures("crowd")
def test_several_processes_give_the_same_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgen.runtime.process_pool._MIN_STREAM_TASKS", 2)
    assert matrix(compute(jobs=2, cache=False)) == matrix(compute(cache=False))


@pytest.mark.usefixtures("crowd")
def test_without_fast_paths_scores_are_fractions_and_computed_anew(
    duels: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    fast = scores(compute())
    assert {type(score) for score in fast} == {float}
    duels.clear()
    monkeypatch.setattr(round_robin, "FAST", False)
    slow = scores(compute())
    assert {type(score) for score in slow} == {Fraction}
    assert sum(duels) == PAIRS
    assert [float(score) for score in slow] == pytest.approx(fast, abs=1e-12)
    duels.clear()
    compute()
    monkeypatch.setattr(round_robin, "FAST", True)
    compute()
    assert duels == []


def test_exact_scores_of_fast_paths_are_not_those_without(duels: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    first = compute()
    duels.clear()
    monkeypatch.setattr(round_robin, "FAST", False)
    assert matrix(compute()) == matrix(first)
    assert sum(duels) == PAIRS
