"""Projects of Cider become projects with tables, pictures, and faces that come close."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest import approx

from cardgen.diagnostic import CardgenError
from tests.game_file.games import findings
from tests.scaffold.decks.foreign_decks import box_of, dexie, layout, made, png, shown, table, write

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
    front = layout(folder, "helden")
    assert front.background == "hsl({{ hue }}, 30%, 50%)"
    # 200 of 1,125 pixels, from which print services cut off an eighth of an inch.
    name, picture = box_of(front, "name"), box_of(front, "name_picture")
    assert (name.at[1], name.at[3], name.style) == (1.06, 8.47, "strong")
    assert name.size == approx(12)
    assert (name.fill, name.align) == ("#ffffff", "center")
    assert (picture.at[1], picture.at[3], picture.fit) == (13.76, 44.45, "cover")
    assert box_of(front, "motto").when == "motto"
    assert box_of(front, "{{ text }} **Fest**").size == approx(7.68)
    assert shown(layout(folder, "ort"), "picture") == ["art/muster.png"]
    assert layout(folder, "helden.back").background == "#123456"


def test_the_size_can_be_a_sum_and_what_is_not_seen_is_left_out(folder: Path) -> None:
    css = ".card { width: calc(1125px - 300px); height: calc(100px + 1025px) }\n"
    css += ".motto { position: absolute; top: 1300px; height: 90px; background: red } .text { height: 0 }"
    new = made(folder, project(folder.parent / "cider", css=css))
    assert new.notes == ("lost: what is outside of the card, or has no width or height",)
    assert layout(folder, "helden").size == (63.5, 88.9)
    assert shown(layout(folder, "helden"), "field") == ["name"]


def test_opacity_stays(folder: Path) -> None:
    made(folder, project(folder.parent / "cider", css=CSS + ".motto { background: rgba(255, 0, 0, 0.4) }"))
    (panel,) = [box for box in layout(folder, "helden").boxes if box.shape]
    assert (panel.fill, panel.opacity, panel.when) == ("#ff0000", 0.4, "motto")


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


def test_decks_and_templates_that_are_left_out_are_listed(folder: Path) -> None:
    root = project(folder.parent / "cider")
    many = "Name,Count,Front Template\n" + "".join(f"A{number},1,t{number}\n" for number in range(101))
    for number in range(50):
        cards = many if number == 0 else "Name,Count,Front Template\nUte,1,\n"
        write(root, **{f"decks__a{number:02}__cards_csv": cards})
    notes = made(folder, root).notes
    assert "lost: decks after the first 50" in notes
    assert "lost: templates of a deck after the first 100: a00" in notes


def test_boxes_that_are_left_out_are_listed(folder: Path) -> None:
    box = '<div style="position: absolute; top: 9px; left: 9px; width: 90px; height: 90px">{{card.name}}</div>'
    root = project(folder.parent / "cider", front=f'<div class="card">{box * 501}</div>')
    assert "lost: what follows the first 500 boxes of a face" in made(folder, root).notes


@pytest.mark.parametrize("text", ['{"formatName": "dexie"}', '{"formatName": "dexie", "data": {"data": [1]}}'])
def test_a_damaged_database_is_an_error(folder: Path, text: str) -> None:
    source = folder.parent / "database.json"
    source.write_text(text, encoding="utf-8")
    with pytest.raises(CardgenError, match="not the database of a Cider project"):
        made(folder, source)


@pytest.mark.parametrize("text", ["[" * 100_000 + "]" * 100_000, '{"a":' * 100_000 + "1" + "}" * 100_000])
def test_a_database_that_is_nested_without_end_is_an_error(folder: Path, text: str) -> None:
    source = folder.parent / "database.json"
    source.write_text(text, encoding="utf-8")
    with pytest.raises(CardgenError, match=r"values are nested too deeply$"):
        made(folder, source)


def test_nothing_of_a_stranger_is_code_in_a_template(folder: Path) -> None:
    front = (
        '<div class="card" style="color: {% raw %}">{{card.name}} {% for x in y %} {&#123; 1/0 }} {# {{{{7}}}}</div>'
    )
    made(folder, project(folder.parent / "cider", front=front, css='.card { color: red" onload="x; }'))
    assert not [each for each in findings(folder) if "is not printed" not in each]
    (text,) = shown(layout(folder, "helden"), "text")
    assert text == r"{{ name }} \{% for x in y %\} \{\{ 1/0 \}\} \{# \{\}"


def test_deep_pages_and_wide_style_sheets_take_no_time(folder: Path) -> None:
    made(folder, project(folder.parent / "cider", front="<div>" * 50_000 + "{{card.name}}", css="a{" * 20_000))
    assert not [each for each in findings(folder) if "is not printed" not in each]


def test_a_border_around_a_card_is_a_part_of_it(folder: Path) -> None:
    css = (
        ".card { width: calc(825px - 160px); height: 965px; border: 80px solid red; }\n"
        ".header { height: 100px; border: 20px solid blue; font-size: 50px; background: white; }\n"
    )
    page = '<div class="card"><p class="header">{{card.name}}</p></div>'
    made(folder, project(folder.parent / "cider", front=page, css=css))
    front = layout(folder, "helden")
    # 825 x 1,125 pixels without an eighth of an inch at each side, and borders inside of their boxes.
    assert front.size == (63.5, 88.9)
    red, blue = front.boxes[:2]
    assert (red.at[:2], red.stroke_width) == ((0.21, 0.21), 6.77)
    assert (blue.at[:2], blue.stroke_width) == ((4.45, 4.45), 1.69)
    assert box_of(front, "name").at[:2] == (5.29, 5.29)


def test_what_has_a_position_is_above_what_has_none(folder: Path) -> None:
    css = (
        ".card { width: 825px; height: 1125px; position: relative }\n"
        ".cost {\n  {{renderif card.motto}}\n  position: absolute; height: 90px; width: 90px; background: black }\n"
        ".under { position: absolute; z-index: -1; height: 400px; width: 400px; background: red }\n"
        ".text { height: 300px; background: blue }\n"
    )
    page = '<div class="card"><i class="cost"></i><p class="text">{{card.name}}</p><i class="under"></i></div>'
    made(folder, project(folder.parent / "cider", front=page, css=css))
    fills = [box.fill for box in layout(folder, "helden").boxes if box.shape]
    assert fills == ["#ff0000", "#0000ff", "#000000"]


def test_what_is_moved_leaves_its_place(folder: Path) -> None:
    css = (
        ".card { width: 825px; height: 1125px }\n"
        ".cost { position: relative; left: 100px; top: -30px; height: 90px; background: black }\n"
        ".text { height: 300px; background: blue }\n"
    )
    page = '<div class="card"><i class="cost"></i><p class="text">{{card.name}}</p></div>'
    made(folder, project(folder.parent / "cider", front=page, css=css))
    places = {box.fill: box.at[:2] for box in layout(folder, "helden").boxes if box.shape}
    assert places == {"#000000": (5.29, -5), "#0000ff": (-5, 4.45)}


def test_cards_without_names_are_an_error(folder: Path) -> None:
    """The number of copies is no name either."""
    source = project(folder.parent / "cider", cards="Name,Count,Front Template\n,1000000000.0,\n")
    with pytest.raises(CardgenError, match="no column has a name for each card"):
        made(folder, source)
