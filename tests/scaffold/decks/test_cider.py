"""Projects of Cider become projects with tables, pictures, and faces that come close."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError
from tests.game_file.games import findings
from tests.scaffold.decks.foreign_decks import dexie, made, png, table, template, write

FRONT = """\
<div class="card">
  <div class="header">{{card.name}}</div>
  <div class="image"></div>
  {{#if card.motto}}<div class="motto">{{card.motto}}</div>{{/if}}
  <p class="text">{{card.rules-text}} <b>Fest</b></p>
</div>"""
CSS = """\
* { margin: 0 }
.card { width: 825px; height: 1125px; display: flex; flex-direction: column; }
.card { background-color: hsl({{card.hue}}, 30%, 50%); }
.header { height: 200px; padding: 50px; font-size: 50px; font-weight: 600; text-align: center; color: white; }
.image { flex: 1; background-image: url({{index assets card.name}}); filter: blur(2px); }
.motto { height: 100px; }
.text { height: 300px; }
"""
CARDS = """\
Name,Count,Front Template,Back Template,Hue,Rules Text,Motto
Öl-Ute,2,Held,Rücken,10,"Ute würfelt <i>neu</i>.",Ich!
Grimm,1,Held,Rücken,120,Grimm * steht.,
Falk,1,Ort,Rücken,0,,
"""


def project(root: Path, cards: str = CARDS, front: str = FRONT, css: str = CSS) -> Path:
    deck = root / "decks" / "helden"
    write(
        root,
        decks__helden__cards_csv=cards,
        decks__helden__held_html=front,
        decks__helden__held_css=css,
        decks__helden__ort_html='<div class="card">{{card.name}}</div>',
        decks__helden__ort_css=".card { width: 825px; height: 1125px; background-image: url({{assets.muster}}) }",
        assets__muster_png=png("blue"),
    )
    (deck / "rucken.html").write_text('<div class="card"></div>', encoding="utf-8")
    (deck / "rucken.css").write_text(".card { width: 825px; height: 1125px; background: #123456 }", encoding="utf-8")
    (root / "assets" / "öl-ute.png").write_bytes(png())
    return root


def test_a_folder_becomes_a_project_that_prints_at_once(folder: Path) -> None:
    new = made(folder, project(folder.parent / "cider"))
    assert dict(new.kinds) == {"helden": 3}
    assert findings(folder) == []
    rows = table(folder, "helden").splitlines()
    assert rows[0] == "Hue,Rules Text,Motto,Name,Count,Front Template,Back Template,Name picture"
    assert rows[1] == "10,Ute würfelt *neu*.,Ich!,Öl-Ute,2,,,art/ol-ute.png"
    assert rows[2] == r"120,Grimm \* steht.,,Grimm,1,,,"
    assert rows[3] == "0,,,Falk,1,ort,rucken,"
    assert (folder / "art" / "ol-ute.png").read_bytes() == png()


def test_boxes_are_where_the_style_sheet_places_them(folder: Path) -> None:
    made(folder, project(folder.parent / "cider"))
    front = template(folder, "helden").splitlines()
    assert 'fill="hsl({{ card.hue }}, 30%, 50%)"' in front[2]
    # 200 of 1,125 pixels, from which print services cut off an eighth of an inch.
    assert 'y="1.06" height="8.47" style="strong" size="12.0pt"' in front[3]
    assert 'fill="#ffffff" align="center"' in front[3]
    assert 'y="13.76" height="44.45" file="{{ card.name_picture }}"' in front[4]
    assert front[4].startswith("{% if card.name_picture %}<cg:art ")
    assert front[5].startswith("{% if card.motto %}")
    assert "{{ card.text }} **Fest**" in front[6]
    assert 'file="art/muster.png"' in template(folder, "ort")
    assert 'fill="#123456"' in template(folder, "helden.back")


def test_what_is_lost_is_listed_in_the_game_and_for_the_user(folder: Path) -> None:
    new = made(folder, project(folder.parent / "cider"))
    assert new.notes == ("lost: properties of style sheets: filter",)
    game = (folder / "games" / "sumpf" / "game.yaml").read_text(encoding="utf-8")
    assert "# lost: properties of style sheets: filter\n" in game


def test_a_database_has_the_same_decks(folder: Path) -> None:
    source = dexie(
        folder.parent / "database.json",
        {"Ute": png()},
        decks=[{"id": 1, "name": "Helden"}, {"id": 2, "name": "leer"}],
        cards=[{"id": 1, "deckId": 1, "name": "Ute", "count": 3, "frontCardTemplateId": 7, "max-hp": 4, "$types": {}}],
        cardTemplates=[{"id": 7, "deckId": 1, "name": "Held", "html": FRONT, "css": CSS}],
        cardAttributes=[{"id": 1, "deckId": 1, "name": "Max HP", "type": "numeric"}],
    )
    new = made(folder, source)
    assert dict(new.kinds) == {"helden": 1}
    assert table(folder, "helden").splitlines() == [
        "Max HP,Name,Count,Front Template,Back Template,Name picture", "4,Ute,3,,,art/ute.png"
    ]  # fmt: skip
    assert findings(folder) == []


@pytest.mark.parametrize("text", ['{"formatName": "dexie"}', '{"formatName": "dexie", "data": {"data": [1]}}'])
def test_a_damaged_database_is_an_error(folder: Path, text: str) -> None:
    source = folder.parent / "database.json"
    source.write_text(text, encoding="utf-8")
    with pytest.raises(CardgenError, match="not the database of a Cider project"):
        made(folder, source)


def test_nothing_of_a_stranger_is_code_in_a_template(folder: Path) -> None:
    front = (
        '<div class="card" style="color: {% raw %}">{{card.name}} {% for x in y %} {&#123; 1/0 }} {# {{{{7}}}}</div>'
    )
    made(folder, project(folder.parent / "cider", front=front, css='.card { color: red" onload="x; }'))
    assert not [each for each in findings(folder) if "is not printed" not in each]
    assert "{%" not in template(folder, "helden").split("<cg:text")[1].split("{{ card.name }}")[1]


def test_deep_pages_and_wide_style_sheets_take_no_time(folder: Path) -> None:
    made(folder, project(folder.parent / "cider", front="<div>" * 50_000 + "{{card.name}}", css="a{" * 20_000))
    assert not [each for each in findings(folder) if "is not printed" not in each]
