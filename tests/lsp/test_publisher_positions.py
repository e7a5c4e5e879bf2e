"""Columns of the protocol count code units, those of places count characters."""

from __future__ import annotations

import time

import pytest

pytest.importorskip("lsprotocol", reason="the language server needs cardgen[lsp]")

from lsprotocol import types

from cardgen.diagnostic import Span
from cardgen.lsp.publisher import PositionMap

TEXT = "a: 🎲e\u0301x\r\nsecond 🎲\n"


@pytest.mark.parametrize(("encoding", "units"), [("utf-16", 7), ("utf-8", 10), ("utf-32", 6)])
def test_places_behind_wide_characters(encoding: str, units: int) -> None:
    positions = PositionMap(TEXT, encoding)
    assert positions.range(Span(1, 7, 1, 8)).start == types.Position(0, units)
    assert positions.line_and_column(types.Position(0, units)) == (1, 7)


def test_positions_behind_the_end_are_those_of_the_end() -> None:
    positions = PositionMap(TEXT, "utf-16")
    assert positions.line_and_column(types.Position(0, 99)) == (1, 8)
    assert positions.line_and_column(types.Position(99, 0)) == (3, 1)
    assert positions.whole() == types.Range(types.Position(0, 0), types.Position(2, 0))


def test_a_byte_order_mark_is_a_unit_of_the_client_alone() -> None:
    positions = PositionMap("\ufeffkind: x\nb\n", "utf-16")
    assert positions.range(Span(1, 1, 1, 5)).start == types.Position(0, 1)
    assert positions.line_and_column(types.Position(0, 1)) == (1, 1)
    assert positions.line_and_column(types.Position(1, 1)) == (2, 2)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8", "utf-32"])
def test_many_places_in_one_line_take_little_time(encoding: str) -> None:
    positions = PositionMap("é🎲xx" * 250_000, encoding)
    started = time.process_time()
    for column in range(990_000, 1_000_000):
        start = positions.range(Span(1, column, 1, column + 1)).start
        assert positions.line_and_column(start) == (1, column)
    assert time.process_time() - started < 10
