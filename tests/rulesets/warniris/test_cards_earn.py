"""The keys that mean something for each event of an objective, in the program and on the page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from cardgen.rulesets.warniris.cards import MEANINGFUL_KEYS, REPORTED_EVENTS, Earn, meaningless_keys

PAGE = Path(__file__).parents[3] / "docs" / "warniris.md"
KEYS = {field.alias or name for name, field in Earn.model_fields.items()} - {"event"}


def rows() -> dict[str, tuple[str, str]]:
    """The rows of the page's table of events: the second and third column, by each name in the first."""
    text = PAGE.read_text(encoding="utf-8").partition("| event | what happens |")[2].partition("## warband")[0]
    table = [[cell.strip() for cell in row.strip("|").split("|")] for row in text.splitlines() if row.startswith("|")]
    return {name: (row[1], row[-1]) for row in table for name in re.findall(r"`(\w+)`", row[0])}


def test_the_page_explains_every_event() -> None:
    assert rows().keys() == MEANINGFUL_KEYS.keys()


@pytest.mark.parametrize("event", MEANINGFUL_KEYS)
def test_the_page_lists_the_keys_of_each_event(event: str) -> None:
    words = rows()[event][1]
    named: set[str] = set(re.findall(r"`(\w+)", words))
    expected = KEYS - (named - {"in"}) if words.startswith("all but") else named
    assert frozenset(expected) == MEANINGFUL_KEYS[event]


@pytest.mark.parametrize(
    ("earn", "keys"),
    [
        ({"event": "eliminate", "rescue": True, "by": "one"}, []),
        ({"event": "damage", "rescue": True, "weapon": "RW"}, ["rescue"]),
        ({"event": "control", "of": "character", "weapon": "P"}, ["of", "weapon"]),
        ({"event": "raid", "of": "enemy"}, []),
    ],
)
def test_keys_that_mean_nothing(earn: dict[str, Any], keys: list[str]) -> None:
    assert list(meaningless_keys(Earn.model_validate(earn))) == keys


@pytest.mark.parametrize("event", MEANINGFUL_KEYS)
def test_players_report_what_the_record_cannot_tell(event: str) -> None:
    assert Earn.model_validate({"event": event}).is_reported == (event in REPORTED_EVENTS)
    assert Earn.model_validate({"event": event, "from": "zone"}).is_reported
    assert Earn.model_validate({"event": event, "then": "cover"}).is_reported
