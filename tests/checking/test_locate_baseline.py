"""Baselines: what is recorded, what is left out, and what a damaged file says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardgen.checking import locate
from cardgen.checking.locate import BaselineEntry, BaselineScope
from tests.cases import each_case

ENTRY = BaselineEntry("cards/a.yaml", "CG201", "repeated word 'so'", "motto: so so")
OTHER = ENTRY._replace(file="cards/b.yaml")


def test_a_baseline_reads_what_it_writes() -> None:
    text = json.dumps(locate.as_data({ENTRY: 2, OTHER: 1}))
    assert locate.parse(text) == {ENTRY: 2, OTHER: 1}


def test_entries_are_sorted() -> None:
    assert [item["file"] for item in locate.as_data({OTHER: 1, ENTRY: 2})["findings"]] == [ENTRY.file, OTHER.file]


def test_entries_outside_the_scope_are_kept() -> None:
    scope = BaselineScope(frozenset({"CG201"}), frozenset({"cards/a.yaml"}))
    assert locate.merge({ENTRY: 2, OTHER: 1}, {}, scope) == {OTHER: 1}
    assert locate.merge({ENTRY: 2, OTHER: 1}, {ENTRY: 1}, scope) == {ENTRY: 1, OTHER: 1}
    assert locate.merge({ENTRY: 2}, {}, BaselineScope(frozenset({"CG202"}))) == {ENTRY: 2}
    assert locate.merge({ENTRY: 2, OTHER: 1}, {}, BaselineScope(frozenset({"CG201"}))) == {}


ITEM = ENTRY.as_data()


@each_case(
    ("text", "message"),
    [
        ("", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("[]", "not a baseline"),
        ('{"version": 1}', "not a baseline"),
        ('{"version": 2, "findings": []}', "version of the baseline must be 1, not 2"),
        (json.dumps({"version": 1, "findings": [ITEM, "x"]}), "finding 2 of the baseline is not an object"),
        *(
            (json.dumps({"version": 1, "findings": [ITEM | wrong]}), "finding 1 of the baseline is malformed")
            for wrong in ({"file": 1}, {"text": None}, {"count": 0}, {"count": True}, {"count": 10**9}, {"count": 1.5})
        ),
    ],
)
def test_a_damaged_file_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        locate.parse(text)


def test_names_start_from_the_folder_of_the_baseline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cards").mkdir()
    monkeypatch.chdir(tmp_path / "cards")
    assert locate.relative_name("a.yaml", Path("..")) == "cards/a.yaml"
    assert locate.relative_name(str(tmp_path / "cards" / "a.yaml"), tmp_path) == "cards/a.yaml"
    assert locate.relative_name("a.yaml", Path("sub")) == "../a.yaml"
