from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from cardgen.diagnostic import slugify
from cardgen.model.card import Art, Card
from tests.cases import each_case


@pytest.mark.parametrize(
    ("name", "identifier"),
    [
        ("Warp Channeler", "warp-channeler"),
        ("Servo-Skull", "servo-skull"),
        ("  Élan  vital! ", "elan-vital"),
        ("No. 7 (old)", "no-7-old"),
        ("ﬁre", "fire"),
        ("Ork's 'Eavy", "ork-s-eavy"),
        ("Łoś", "los"),
        ("Straße Ærø", "strasse-aero"),
        ("Þór Đặng", "thor-dang"),
    ],
)
def test_slugs(name: str, identifier: str) -> None:
    assert slugify(name) == identifier


@pytest.mark.parametrize("name", ["Страж", "守護者", "!!!", ""])
def test_a_name_without_latin_letters_has_a_slug_of_its_own(name: str) -> None:
    assert re.fullmatch("card-[0-9a-f]{8}", slugify(name))


def test_such_slugs_differ_and_never_change() -> None:
    assert slugify("Страж") != slugify("Маг")
    assert slugify("守護者") == "card-b0fdce4d"
    assert slugify("\u0439") == slugify("\u0438\u0306")


@given(st.text(max_size=100))
def test_every_slug_is_a_valid_id(name: str) -> None:
    assert Card(name="x", id=slugify(name)).id == slugify(name)


def test_the_id_follows_from_the_name() -> None:
    assert Card.model_validate({"name": "Iron Halo"}).id == "iron-halo"
    assert Card.model_validate({"name": "Iron Halo", "id": "halo"}).id == "halo"


def test_art_may_be_a_path() -> None:
    assert Card.model_validate({"name": "x", "art": "a.png"}).art == Art(file="a.png")


@each_case(
    "data",
    [
        {},
        {"name": ""},
        {"name": " "},
        {"name": "x" * 81},
        {"name": "x", "id": "A"},
        {"name": "x", "id": ""},
        {"name": "x", "id": "a--b"},
        {"name": "x", "id": "a\n"},
        {"name": "x", "qty": 0},
        {"name": "x", "qty": 501},
        {"name": "x", "qty": 1, "count": 1},
        {"name": "x", "tags": "a"},
        {"name": "x", "tags": [""]},
        {"name": "x", "art": {"fit": "cover"}},
        {"name": "x", "art": {"file": "a.png", "focus": [0.5, 1.5]}},
    ],
)
def test_what_is_no_card(data: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Card.model_validate(data)
