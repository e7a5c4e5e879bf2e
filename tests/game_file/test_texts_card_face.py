"""Faces of games without templates, and what templates can ask about their cards."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardgen.builds.builder import build
from cardgen.deck.deck import load_deck
from cardgen.diagnostic import CardgenError
from cardgen.model.card import Entry
from cardgen.print.render import CardRenderer
from cardgen.print.request import BuildRequest
from cardgen.units import Size
from tests.game_file.games import HEADER, findings, game_of, write_game

GAME = (
    HEADER
    + """
unit: cm
size: poker
types:
  weapon: {fields: {range: {type: integer}}, line: "R{range}"}
  trait:
    fields:
      name: {type: text}
      level: {type: integer, default: 1}
      loud: {type: flag}
      tone: {type: choice, choices: [deep, high], default: deep}
kinds:
  brave:
    fields:
      heat: {type: integer, label: HT, icon: fire}
      reach: {type: length, default: 12}
      role: {type: choice, choices: [scout, smith], default: scout}
      mounted: {type: flag}
      friend: {type: card, kind: brave, optional: true}
      armour: {type: map, keys: [head, body], items: {type: integer}, optional: true}
      words: {type: list, items: {type: text}}
      weapons: {type: list, items: {type: weapon}}
      trait: {type: trait, optional: true}
      moods: {type: list, items: {type: choice, choices: [on_edge, self-made]}}
      banner: {type: colour, optional: true}
    boxes: {wounds: heat, luck: 2}
    text: "{% if heat > 3 %}Very **hot**: {{ heat }}.{% endif %}"
  coin: {size: {diameter: 30mm}, fields: {}}
  plan: {size: [120mm, 70mm], fields: {}}
  disk:
    size: {by: weight, light: 30mm, heavy: [60mm, 40mm]}
    shape: round
    fields: {weight: {type: choice, choices: [light, heavy]}}
glossary: {hot: {means: Warm., bold: true}}
"""
)
CARDS = """
cards:
- {kind: brave, name: Ash, heat: 4, mounted: true, friend: Cinder, armour: {head: 1}, words: [a, b],
   weapons: [{Poker: R1}], trait: {name: Loud, loud: true}, moods: [on_edge, self-made], banner: "#aa0000"}
- {kind: brave, name: Cinder, heat: 1, text: Own.}
- {kind: coin, name: Mark}
- {kind: plan, name: Retreat}
- {kind: disk, name: Pebble, weight: light}
- {kind: disk, name: Boulder, weight: heavy}
"""


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_game(tmp_path, GAME, cards=CARDS)
    for file in (tmp_path / "games" / "ember" / "templates").iterdir():
        file.unlink()


def test_every_kind_is_printed_without_templates(tmp_path: Path) -> None:
    assert findings(tmp_path) == []
    result = build(BuildRequest(output=tmp_path / "output", formats=("png",)))
    assert {path.name for path in result.files} >= {"001-ash-front.png", "001-ash-back.png", "001-mark-front.png"}


def test_long_text_is_reported_at_its_card(tmp_path: Path) -> None:
    (tmp_path / "cards" / "long.yaml").write_text(f"kind: coin\nname: Long\ntext: {'words ' * 300}\n", encoding="utf-8")
    with pytest.raises(CardgenError, match=r"cards/long.yaml:3:7: error\[CG501\]: 'text' of 'Long'"):
        build(BuildRequest(output=tmp_path / "output"))


def test_sizes_are_names_sides_diameters_or_by_field(tmp_path: Path) -> None:
    kinds = game_of(tmp_path).kinds
    cards = {entry.card.name: entry.card for entry in load_deck(())[1].cards}
    sizes = {name: tuple(kinds[card.KIND].size_of(card)) for name, card in cards.items()}
    assert sizes == {
        "Ash": (63.5, 88.9),
        "Cinder": (63.5, 88.9),
        "Mark": (30, 30),
        "Retreat": (120, 70),
        "Pebble": (30, 30),
        "Boulder": (60, 40),
    }
    assert (kinds["coin"].shape, kinds["plan"].shape, kinds["disk"].shape) == ("round", "rectangle", "round")
    assert kinds["disk"].default_size is None


def test_templates_see_fields_with_labels(tmp_path: Path) -> None:
    rules = game_of(tmp_path)
    ash, cinder, *_ = [entry.card for entry in load_deck(())[1].cards]
    ask = rules.template_functions
    assert [(row["label"], row["icon"], row["value"]) for row in ask["numbers"](ash)] == [  # type: ignore[attr-defined]
        ("HT", "fire", "4"),
        ("Reach", "", "12\N{NO-BREAK SPACE}cm"),
    ]
    assert [(row["label"], row["value"], row["kind"]) for row in ask["details"](ash)] == [  # type: ignore[attr-defined]
        ("Role", "Scout", ""),
        ("Mounted", "", ""),
        ("Friend", "Cinder", "brave"),
    ]
    assert [row["text"] for row in ask["parts"](ash)] == [  # type: ignore[attr-defined]
        "**Armour** head 1",
        "**Words** a, b",
        "**Poker** R1",
        "**Loud** level 1, loud, tone Deep",
        "**Moods** On edge, Self-made",
    ]
    assert [(row["label"], row["number"]) for row in ask["boxes"](ash)] == [("Wounds", 4), ("Luck", 2)]  # type: ignore[attr-defined]
    assert (rules.describe(ash), rules.describe(cinder)) == ("Very **hot**: 4.", "Own.")
    assert (ask["label"](ash, "heat"), ask["game_name"](), ask["shape"]("coin")) == ("HT", "Ember", "round")


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("size: pokre", "unknown size 'pokre'; did you mean 'poker'?"),
        ("size: mini", "unknown size 'mini'; did you mean 'mini-usa' or 'mini-euro'?"),
        ("size: huge", "unknown size 'huge'"),
        ("size: [63mm, 1mm]", "has a side shorter than 4 mm"),
        ("size: {radius: 3mm}", "unknown key 'radius'"),
        ("size: {by: role, scout: 30mm, smith: {diameter: 30mm}}", "some cards of this kind would be round"),
        ("size: {by: role, scout: {diameter: 30mm}, smith: {diameter: 3mm}}", "has a side shorter than 4 mm"),
        ("size: {by: role, scout: {radius: 30mm}, smith: {diameter: 3cm}}", "unknown key 'radius'"),
        ("size: {by: x}", "unknown field 'x'"),
        ("size: {by: heat}", "'heat' is not a field with choices"),
        ("size: {by: role, scout: 30mm}", "no size for role: smith"),
        ("size: {by: role, scout: 30mm, smith: 40mm, scot: 1mm}", "'scot' is not a choice of 'role'"),
        ("boxes: {wounds: heta}", "unknown field 'heta'; did you mean 'heat'?"),
        ("boxes: {wounds: role}", "'role' is not an integer"),
        ('text: "{{ heta }}"', "unknown name 'heta'; did you mean 'heat'?"),
        ('text: "{{ heat"', "not a valid expression"),
    ],
)
def test_mistakes_in_a_kind_are_located(tmp_path: Path, kind: str, message: str) -> None:
    fields = "fields: {heat: {type: integer}, role: {type: choice, choices: [scout, smith]}}"
    write_game(tmp_path, HEADER + f"kinds:\n  brave:\n    {fields}\n    {kind}\n")
    with pytest.raises(CardgenError) as caught:
        game_of(tmp_path)
    (found,) = caught.value.diagnostics
    assert message in found.message
    assert found.place.span is not None
    assert found.place.span.line == 7


def test_an_unknown_size_says_how_to_write_one(tmp_path: Path) -> None:
    """Not every card has a size with a name."""
    write_game(tmp_path, HEADER + "kinds:\n  brave:\n    fields: {}\n    size: huge\n")
    with pytest.raises(CardgenError) as caught:
        game_of(tmp_path)
    (found,) = caught.value.diagnostics
    assert found.help.startswith("write [63mm, 88mm], or one of poker, ")


def test_numbers_are_at_the_same_height_on_all_cards_of_a_kind(tmp_path: Path) -> None:
    """Cards in a hand can be compared."""
    texts = ("", "text: Short.", f"text: {'words ' * 40}", "motto: Never cold.")
    cards = "".join(f"- {{kind: brave, name: B{number}, heat: 3, {text}}}\n" for number, text in enumerate(texts))
    (tmp_path / "cards" / "cards.yaml").write_text(f"cards:\n{cards}", encoding="utf-8")
    project, deck = load_deck(())
    renderer = CardRenderer(project)
    heights = {_label_box(renderer, entry) for entry in deck.cards}
    assert len(heights) == 1


def _label_box(renderer: CardRenderer, entry: Entry) -> float:
    """Return the y of the label of a card's first number."""
    context = renderer.face_renderer(entry).context(entry, renderer.card_size(entry), "front")
    svg = renderer.face_renderer(entry).templates.render("shared/generic", context).svg
    box = re.search(r'<cg:text[^>]* y="([^"]*)"[^>]* field="heat">', svg)
    assert box
    return float(box[1])


def test_the_text_of_a_token_has_the_number_of_each_side(tmp_path: Path) -> None:
    game = GAME + "pieces: {coin-token: {piece: token, text: '{{ value }} gold'}}\n"
    write_game(tmp_path, game, cards="{kind: coin-token, name: Coin, value: 5, flip: 10}\n")
    project, deck = load_deck(())
    (coin,) = deck.cards
    renderer = CardRenderer(project).face_renderer(coin)
    texts = []
    for side in ("", ".back"):
        svg = renderer.templates.render(f"shared/plain-token{side}", renderer.context(coin, Size(25, 25), "back")).svg
        texts += re.findall(r"(\d+) gold", svg)
    assert texts == ["5", "10"]
