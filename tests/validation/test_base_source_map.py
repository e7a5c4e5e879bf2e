"""From a model's routes to the author's: defaults, synonyms, short forms."""

from __future__ import annotations

from cardgen.source import KeyPath, parse_document
from cardgen.validation.base import SourceMap
from tests.cases import each_case
from tests.validation.examples import Cart

DECK = parse_document(
    """\
defaults:
  spare: {S: 8, radius: 30}
  owner: {spokes: 4}
  wheels: [{S: 5}, {S: 6}]
  if: dry
cards:
  - name: A
    spare: {rays: 9}
    owner: Bob
    wheels:
      - {spokes: 7}
""",
    "f",
)
CARD = SourceMap(DECK, (Cart,), (("cards", 0), ("defaults",)))


def test_maps_are_merged_deeply_and_lists_replaced() -> None:
    assert CARD.merged_data() == {
        "name": "A",
        "spare": {"rays": 9, "radius": 30},
        "owner": "Bob",
        "wheels": [{"spokes": 7}],
        "if": "dry",
    }


@each_case(
    ("route", "place"),
    [
        ((), "f:7:5"),
        (("name",), "f:7:11"),
        (("spare", "radius"), "f:2:25"),
        (("spare", "spokes"), "f:8:19"),
        (("spare", "S"), "f:8:19"),
        (("wheels", 0, "rays"), "f:11:18"),
        (("wheels", 1, "rays"), "f:11:7"),
        (("owner", "spokes"), "f:9:12"),
        (("condition",), "f:5:7"),
        (("if",), "f:5:7"),
        (("colour",), "f:7:5"),
        (("nonsense", 3), "f:7:5"),
    ],
)
def test_places(route: KeyPath, place: str) -> None:
    assert str(CARD.place(route)) == place


def test_the_place_of_a_key() -> None:
    assert str(CARD.place(("spare", "spokes"), key=True)) == "f:8:13"
    assert str(CARD.place(("condition",), key=True)) == "f:5:3"


def test_how_a_key_was_spelt() -> None:
    assert CARD.spelling(("spare", "spokes")) == "rays"
    assert CARD.spelling(("condition",)) == "if"
    assert CARD.spelling(("colour",)) == "colour"


def test_whether_a_key_was_written_at_all() -> None:
    assert CARD.has_key("condition")
    assert not CARD.has_key("colour")


def test_an_origin_without_data() -> None:
    origin = SourceMap(parse_document("", "f"), (Cart,), (("cards", 0),))
    assert origin.merged_data() is None
    assert str(origin.place(("name",))) == "f"


def test_the_document_is_left_as_it_was() -> None:
    before = repr(DECK.data)
    CARD.merged_data()["spare"]["radius"] = 99
    assert repr(DECK.data) == before
