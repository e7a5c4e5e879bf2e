from __future__ import annotations

import csv
import io
import sys
from dataclasses import replace

import pytest

from cardgen.balance.report import BalanceReport
from cardgen.balance.tables import as_arrow, as_csv, card_rows, require_arrow
from cardgen.diagnostic import CardgenError
from tests.balance.fighters import CHEAP, DEAR


def test_a_row_for_each_card(report: BalanceReport) -> None:
    rows = list(csv.DictReader(io.StringIO("".join(as_csv(report, cards=True)))))
    assert [row["rank"] for row in rows] == [str(rank) for rank in range(1, 12)]
    sides = {row["card"]: row["outlier"] for row in rows if row["outlier"]}
    assert sides == {CHEAP: "strong", DEAR: "weak"}
    assert {row["faction"] for row in rows} == {"chaos", "order", "death"}
    assert all(float(row["low"]) < float(row["usual"]) < float(row["high"]) for row in rows)


def test_whole_numbers_have_no_decimals_in_csv(report: BalanceReport) -> None:
    rows = list(csv.DictReader(io.StringIO("".join(as_csv(report, cards=True)))))
    assert {row["card"]: row["cost"] for row in rows}[CHEAP] == "60"


def test_without_costs_there_is_no_band(report: BalanceReport) -> None:
    free = replace(report, strengths=replace(report.strengths, costs=[None] * 11))
    assert free.strengths.fit is None
    assert all(row["usual"] is None and row["outlier"] == "" for row in card_rows(free))


def test_arrow_needs_its_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(CardgenError, match="pyarrow") as error:
        require_arrow()
    assert ".[arrow]" in str(error.value.diagnostics[0].help)


@pytest.mark.parametrize("form", ["arrow", "parquet"])
def test_arrow_and_parquet_hold_all_pairs(report: BalanceReport, form: str) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")

    def read(content: bytes) -> list[dict[str, object]]:
        file = io.BytesIO(content)
        table = parquet.read_table(file) if form == "parquet" else arrow.ipc.open_file(file).read_all()
        rows: list[dict[str, object]] = table.to_pylist()
        return rows

    pairs = read(as_arrow(report, form))
    expected = list(csv.DictReader(io.StringIO("".join(as_csv(report)))))
    assert [(row["card"], row["against"]) for row in pairs] == [(row["card"], row["against"]) for row in expected]
    assert [row["score"] for row in pairs] == pytest.approx([float(row["decimal"]) for row in expected])
    assert read(as_arrow(report, form, cards=True)) == card_rows(report)


@pytest.mark.parametrize("has_costs", [True, False])
def test_columns_have_the_same_types_with_or_without_costs(report: BalanceReport, has_costs: bool) -> None:
    arrow = pytest.importorskip("pyarrow")
    some = report if has_costs else replace(report, strengths=replace(report.strengths, costs=[None] * 11))
    schema = arrow.ipc.open_file(io.BytesIO(as_arrow(some, "arrow", cards=True))).schema
    types = {field.name: str(field.type) for field in schema}
    assert types == {
        **dict.fromkeys(("card", "carries", "faction", "runemarks", "outlier"), "string"),
        **dict.fromkeys(("counter", "cheap counter", "victim"), "string"),
        **dict.fromkeys(("cost", "score", "usual", "low", "high", "deviations", "usual cost"), "double"),
        "rank": "int32",
    }


def test_names_of_arrow_are_categories_of_which_each_is_different(report: BalanceReport) -> None:
    """Readers such as pandas refuse a dictionary with the same value twice."""
    arrow = pytest.importorskip("pyarrow")
    table = arrow.ipc.open_file(io.BytesIO(as_arrow(report, "arrow"))).read_all()
    for name in ("card", "carries", "against", "against carries"):
        (chunk,) = table.column(name).chunks
        values = chunk.dictionary.to_pylist()
        assert len(values) == len(set(values))
