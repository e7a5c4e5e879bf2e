"""A release file is read completely, or refused at the line that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.deck.release_file import read_release
from cardgen.diagnostic import CardgenError

TEXT = """\
format: 1
cards:
- id: ash
  game: warniris
  kind: minion
  name: "Ash"
  qty: 2
  rules: "1"
  words: "2"
  values:
    stats/mind: 2
- id: ember
  game: warniris
  kind: minion
  name: "Ember"
  qty: 2
  rules: "1"
  words: "2"
date: 2026-05-31
"""


def test_the_file_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "v1.yaml"
    path.write_text(TEXT, encoding="utf-8")
    assert [card.id for card in read_release(path, "v1").cards] == ["ash", "ember"]


@pytest.mark.parametrize(("old", "new", "line", "message"), [
    ("- id: ember\n", "- id: ember\n    stats/mind: 3\n", 13, "unexpected line"),  # of the card before
    ("- id: ember\n", "- look:\n", 12, "missing key 'id'"),
    ("- id: ember\n", "- values: 3\n", 12, "unexpected line"),
    ("- id: ember\n", "- id:\n", 12, "unexpected line"),
    ("stats/mind: 2", r'stats/mind: "\ud800"', 11, "not a valid text in quotes"),
    ("stats/mind: 2", r'"\ud800": 2', 11, "not a valid text in quotes"),
    ("stats/mind: 2", "stats/mind: 1e999", 11, "the number is too large"),
    ("qty: 2", "qty: 2.5", 3, "'qty' must be a whole number"),
])  # fmt: skip
def test_a_line_that_is_wrong(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    path = tmp_path / "v1.yaml"
    path.write_text(TEXT.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(CardgenError) as caught:
        read_release(path, "v1")
    (found,) = caught.value.diagnostics
    assert found.place.span is not None
    assert (found.place.span.line, found.message) == (line, message)
