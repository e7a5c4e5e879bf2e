"""Tests of the question whether a key path leads to the same field in two states of a form."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the studio's extra is not installed")

from cardgen.source import KeyPath
from cardgen.studio.pages.form_panel import is_same_field


def form(data: Any, path: KeyPath = (), key: str = "") -> dict[str, Any]:
    """The form of plain data: maps, lists, numbers, and texts."""
    field: dict[str, Any] = {"path": path, "key": key, "value": None, "widget": "text", "fields": []}
    if isinstance(data, dict):
        return {**field, "widget": "map", "fields": [form(each, (*path, key), key) for key, each in data.items()]}
    if isinstance(data, list):
        items = [form(each, (*path, index), str(index)) for index, each in enumerate(data)]
        return {**field, "widget": "list", "fields": items}
    return {**field, "widget": "number" if isinstance(data, int) else "text", "value": data}


CARD = {"name": "Ash", "stats": {"M": 3}, "tags": ["one", "two"], "weapons": [{"name": "Bow", "R": 8}, {"name": "Axe"}]}
BOW, AXE = CARD["weapons"]


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"name": "Elm"}, ("stats", "M")),
        ({"stats": {"B": 1, "M": 3}}, ("stats", "M")),
        ({"tags": ["one"]}, ("weapons", 0, "R")),
        ({"weapons": [{"name": "Bow", "R": 9}, AXE]}, ("weapons", 0, "name")),
        ({"weapons": [{"R": 8, "name": "Bow"}, AXE]}, ("weapons",)),
        ({"name": "Elm"}, ()),
    ],
)
def test_a_path_leads_to_the_same_field(change: dict[str, Any], path: KeyPath) -> None:
    assert is_same_field(form(CARD), form({**CARD, **change}), path)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"weapons": [AXE, BOW]}, ("weapons", 0, "name")),
        ({"weapons": [AXE]}, ("weapons", 0, "name")),
        ({"weapons": [BOW, AXE, AXE]}, ("weapons", 0, "name")),
        ({"weapons": [AXE, {"name": "New"}]}, ("weapons", 0, "name")),
        ({"tags": ["two", "one"]}, ("tags", 0)),
        ({"tags": ["one", "two", "three"]}, ("tags",)),
        ({"stats": {"B": 3}}, ("stats", "M")),
        ({"stats": {"M": "3"}}, ("stats", "M")),
        ({"weapons": "Bow"}, ("weapons",)),
    ],
)
def test_a_path_leads_elsewhere(change: dict[str, Any], path: KeyPath) -> None:
    assert not is_same_field(form(CARD), form({**CARD, **change}), path)


def test_another_card_and_a_path_out_of_the_card_have_other_fields() -> None:
    card = form(CARD, ("cards", 1))
    assert is_same_field(card, form(CARD, ("cards", 1)), ("cards", 1, "name"))
    assert not is_same_field(card, form(CARD, ("cards", 0)), ("cards", 1, "name"))
    assert not is_same_field(card, card, ("name",))
    assert not is_same_field(card, card, ("cards", 1, "motto"))
