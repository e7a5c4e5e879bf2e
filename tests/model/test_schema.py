"""The schema of whole files says what loading says, as far as a schema can."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardgen.diagnostic import Diagnostic
from cardgen.model.card import read_cards
from cardgen.model.schema import card_file_schema
from cardgen.source import Document, parse_document, read_document
from tests.cases import each_case
from tests.json_schemas import check_schema
from tests.model.agreement import spoilt, strict_validator
from tests.model.fitting import values
from tests.model.games import GAMES, KINDS, Cart

SCHEMA = card_file_schema("haulage", KINDS)
VALIDATOR = strict_validator(SCHEMA)
CART = Cart.model_json_schema()
PLACES = st.sampled_from(["card", "deck", "both", "neither"])


def loads(data: Any) -> bool:
    outcomes = read_cards(Document("f", data), GAMES, "haulage")
    return not any(isinstance(outcome, Diagnostic) for outcome in outcomes)


def kinds(place: str) -> tuple[dict[str, str], dict[str, str]]:
    """What a deck and its card say about the kind."""
    return {"kind": "cart"} if place in ("deck", "both") else {}, {"kind": "cart"} if place in ("card", "both") else {}


def test_it_is_a_schema() -> None:
    check_schema(SCHEMA)
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert "$id" not in SCHEMA
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA


def test_keys_are_described() -> None:
    properties = SCHEMA["$defs"]["cart.file"]["properties"]
    assert properties["name"]["description"] == "the card's printed name"
    assert properties["copies"]["description"] == "the same as qty"
    assert "title" not in properties["name"]
    assert "default" not in properties["id"]
    assert SCHEMA["$defs"]["cart.file"]["description"] == "A cart, with a key of each type."


@pytest.mark.parametrize(
    "text",
    [
        "{kind: horse, name: A, body: {S: 4}}",
        "{format: 1, game: haulage, kind: horse, name: A, body: {spokes: 4.0}}",
        "{kind: horse, cards: [{name: A, body: {S: 4}}]}",
        "{cards: [{kind: horse, name: A, body: {S: 4}}, {kind: cart, name: B, wheels: [{S: 3}]}]}",
        "{kind: horse, cards: [{kind: cart, name: B, wheels: [{S: 3}]}]}",
        "{kind: horse, defaults: {body: {S: 4}}, cards: [{name: A}, {name: B, body: {radius: 3}}]}",
        "{defaults: {kind: horse, body: {S: 4}}, cards: [{name: A}]}",
        "{kind: cart, defaults: {kind: horse, body: {S: 4}}, cards: [{name: A}]}",
        "{kind: horse, defaults: {art: {fit: contain}}, cards: [{name: A, body: {S: 4}, art: {file: x}}]}",
    ],
)
def test_files_that_are_right(text: str) -> None:
    data = parse_document(text, "f").data
    assert loads(data)
    assert [error.message for error in VALIDATOR.iter_errors(data)] == []


@each_case(
    "text",
    [
        "5",
        "[]",
        "{}",
        "{name: A, body: {S: 4}}",
        "{kind: zebra, name: A}",
        "{kind: , name: A}",
        "{kind: horse, name: A}",
        "{kind: horse, name: A, body: {S: 4}, x: 1}",
        "{kind: horse, name: A, body: {S: 4}, wheels: []}",
        "{kind: horse, name: A, body: {S: 4}, format: 2}",
        "{kind: horse, name: A, body: {S: 4}, format: '1'}",
        "{kind: horse, name: A, body: {S: 4}, defaults: {}}",
        "{cards: []}",
        "{cards: 5}",
        "{cards: [5]}",
        "{cards: [{name: A, body: {S: 4}}]}",
        "{kind: horse, cards: [{name: A}]}",
        "{kind: horse, cards: [{name: A, body: {S: 4}}], x: 1}",
        "{kind: horse, cards: [{name: A, body: {S: 4}, game: haulage}]}",
        "{kind: horse, cards: [{name: A, wheels: [{S: 3}]}]}",
        "{kind: horse, defaults: {x: 1}, cards: [{name: A, body: {S: 4}}]}",
        "{kind: horse, defaults: {qty: 3}, cards: [{name: A, body: {S: 1}}]}",
        "{kind: horse, defaults: {body: {S: 4}}, cards: [{name: A, body: {x: 3}}]}",
        "{kind: cart, defaults: {name: A}, cards: [{wheels: [{radius: 3}]}]}",
        "{defaults: {name: A}, cards: [{body: {S: 4}}]}",
        "{defaults: {kind: horse, name: A}, cards: [{body: {S: 4}, wheels: [{S: 3}]}]}",
    ],
)
def test_files_that_are_wrong(text: str) -> None:
    data = parse_document(text, "f").data
    assert not loads(data)
    assert list(VALIDATOR.iter_errors(data))


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(spoilt(CART), PLACES)
def test_files_of_one_card(card: Any, place: str) -> None:
    _, own = kinds(place)
    data = {**card, **own} if isinstance(card, dict) else card
    assert loads(data) == VALIDATOR.is_valid(data)


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(spoilt(CART), PLACES)
def test_decks_without_defaults(card: Any, place: str) -> None:
    above, own = kinds(place)
    data = {**above, "cards": [{**card, **own} if isinstance(card, dict) else card]}
    assert loads(data) == VALIDATOR.is_valid(data)


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(values(CART, CART), PLACES, st.sets(st.sampled_from(sorted(CART["properties"]))))
def test_decks_with_defaults_are_never_refused_wrongly(card: dict[str, Any], place: str, moved: set[str]) -> None:
    above, own = kinds(place)
    defaults = {key: value for key, value in card.items() if key in moved}
    rest = {key: value for key, value in card.items() if key not in moved}
    data = {**above, "defaults": defaults, "cards": [{**rest, **own}]}
    if loads(data):
        assert [error.message for error in VALIDATOR.iter_errors(data)] == []


def test_the_built_in_cards_fit_their_games_schema() -> None:
    from cardgen.rulesets.warniris.pack import KINDS as WARNIRIS

    validator = strict_validator(card_file_schema("warniris", {name: kind.model for name, kind in WARNIRIS.items()}))
    files = sorted((Path(__file__).parents[2] / "cards" / "warniris").rglob("*.yaml"))
    assert files
    for file in files:
        assert [error.message for error in validator.iter_errors(read_document(file, file.name).data)] == []
