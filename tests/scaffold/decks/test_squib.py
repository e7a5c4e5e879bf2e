"""Decks of Squib become projects with tables, pictures, and faces; their scripts never run."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest import approx

from cardgen.diagnostic import CardgenError
from tests.game_file.games import findings
from tests.scaffold.decks.foreign_decks import box_of, layout, made, png, shown, table, write

SCRIPT = """\
require 'squib'
File.write('/tmp/owned', 'x')  # never runs
data = Squib.csv file: 'data/karten.csv', explode: 'Menge'

Squib::Deck.new(cards: data['Name'].size, layout: 'layout.yml') do
  background color: :white  # 'a comment', with a comma
  rect layout: :cut
  text str: data['Name'], layout: :title
  text str: data.kosten.map { |k| "#{k} Gold" },
       layout: 'cost'
  %w(Links Rechts).each do |side|
    text str: data[side], layout: "#{side.downcase}"
  end
  png file: data['Bild'].map { |b| b.nil? ? nil : "#{b.downcase}.png" }, layout: :art
  svg file: data['Name'].map { |n| 'stern.svg' unless n.nil? }, x: 400, y: 40, width: 50, height: 50
  text str: summe(data), layout: :title
  save_pdf trim: 37.5
end
"""
LAYOUT = """\
base: &base {x: 75, y: 1in, width: 600, height: 100, font: "Arial Bold 12", align: center}
title: *base
cost:
  extends: title
  y: += 100
  color: "#ff0000"
art: {x: 75, y: 400, width: 675, height: 400}
links: {<<: *base, y: 900, valign: !ruby/symbol middle}
rechts: {extends: links, x: += 50}
cut: {x: 38, y: 38, width: 750, height: 1050}
"""
CARDS = "Name,Kosten,Links,Rechts,Bild,Menge\nGrimm,3,<b>rauf</b>,runter,GRIMM,2\nUte,12,a,b,,1\n"
STAR = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'


def deck(root: Path, script: str = SCRIPT, layout: str = LAYOUT) -> Path:
    return write(
        root, deck_rb=script, layout_yml=layout, data__karten_csv=CARDS, img__grimm_png=png(), img__stern_svg=STAR
    )


def test_a_deck_becomes_a_project_that_prints_at_once(folder: Path) -> None:
    new = made(folder, deck(folder.parent / "squib"))
    assert dict(new.kinds) == {"deck": 2}
    assert findings(folder) == []
    assert table(folder, "deck").splitlines() == [
        "Name,Kosten,Links,Rechts,Bild,qty,Bild in lower case,Bild in lower case picture",
        "Grimm,3,**rauf**,runter,GRIMM,2,grimm,art/grimm.png",
        "Ute,12,a,b,,1,,",
    ]
    assert new.notes == (
        "lost: the cut line, which cardgen prints as cut marks",
        "lost: fonts; put their files into fonts/, and name their families in the theme: Arial Bold",
        "lost: texts that the script computes: summe(data)",
    )


def test_elements_are_where_the_layout_places_them(folder: Path) -> None:
    made(folder, deck(folder.parent / "squib"))
    front = layout(folder, "deck")
    assert front.background == "#ffffff"
    # 75 pixels of 300 to the inch, without the eighth of an inch that is cut off.
    name, cost = box_of(front, "name"), box_of(front, "{{ kosten }} Gold")
    assert (name.at, name.style) == ((3.17, 22.23, 50.8, 8.47), "strong")
    assert name.size == approx(12)
    assert (cost.at[1], cost.fill) == (30.69, "#ff0000")
    assert box_of(front, "links").valign == "middle"
    assert box_of(front, "rechts").at[0] == 7.41
    assert box_of(front, "bild_in_lower_case_picture").fit == "contain"
    assert shown(front, "picture") == ["art/stern.svg"]


def test_layouts_without_a_script_belong_to_the_columns_of_their_names(folder: Path) -> None:
    entries = "name: {x: 75, y: 75, width: 600, height: 90}\nkosten: {x: 75, y: 300, width: 90, height: 90}\n"
    root = deck(folder.parent / "squib", script="puts 1\n", layout=entries)
    new = made(folder, root / "layout.yml")
    assert dict(new.kinds) == {"karten": 2}
    assert shown(layout(folder, "karten"), "field") == ["name", "kosten"]
    assert findings(folder) == []


def test_a_folder_without_a_deck_is_an_error(folder: Path) -> None:
    root = write(folder.parent / "anderes", notizen_txt="x")
    with pytest.raises(CardgenError, match="no deck with a table of cards was found"):
        made(folder, root)


@pytest.mark.parametrize(
    "layout",
    [
        "".join(f"a{n}: &a{n} {{x: 1, {', '.join(f'k{i}: *a{n - 1}' for i in range(9) if n)}}}\n" for n in range(30)),
        "".join(f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9 if n else [])}], k{n}: 1}}\n" for n in range(30)),
        "title: {extends: title, x: += 1}\n",
        "title: {x: 75, y: 75, width: 600, height: 90}\n" + "[" * 100_000,
        "title: {x: *missing}\n",
    ],
)
def test_hostile_layouts_take_no_time(folder: Path, layout: str) -> None:
    made(folder, deck(folder.parent / "squib", layout=layout))
    assert findings(folder) == []


def test_hostile_scripts_take_no_time(folder: Path) -> None:
    loops = "%w(a b c).each do |x|\n" * 100_000
    made(folder, deck(folder.parent / "squib", script=SCRIPT + loops + "'" * 99_999))
    assert findings(folder) == []


def test_no_file_outside_of_the_deck_is_read(folder: Path) -> None:
    (folder.parent / "geheim.csv").write_text("Name\nGeheim\n", encoding="utf-8")
    script = SCRIPT.replace("data/karten.csv", "../../geheim.csv")
    with pytest.raises(CardgenError, match="no deck with a table"):
        made(folder, deck(folder.parent / "a" / "squib", script=script, layout="x: {x: 1}\n"))


def test_texts_can_have_any_color_of_css(folder: Path) -> None:
    made(folder, deck(folder.parent / "squib"))
    path = folder / "games" / "sumpf" / "templates" / "deck.layout.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"#ff0000"', '"hsl({{ kosten }}, 30%, 50%)"'), encoding="utf-8")
    assert findings(folder) == []
    path.write_text(text.replace('"#ff0000"', '"hsl({{ name }})"'), encoding="utf-8")
    assert any("is not a valid color" in each for each in findings(folder))


def test_names_of_files_match_in_capital_and_small_letters(folder: Path) -> None:
    script = SCRIPT.replace("'layout.yml'", "'Layout.yml'").replace("data/karten.csv", "Data/Karten.CSV")
    script = script.replace("'stern.svg'", "'./IMG/Stern.svg'")
    new = made(folder, deck(folder.parent / "squib", script))
    assert dict(new.kinds) == {"deck": 2}
    assert not any("not in the deck: stern" in note.lower() for note in new.notes)
    assert (folder / "art" / "stern.svg").exists()


def test_the_second_deck_of_each_script_with_the_same_table_is_the_back(folder: Path) -> None:
    script = """\
data = Squib.csv file: 'data/karten.csv'
Squib::Deck.new cards: 2, layout: 'layout.yml' do
  text str: data['Name'], layout: :title
end
Squib::Deck.new cards: 2, layout: 'layout.yml' do
  text str: data['Rechts'], layout: :title
end
"""
    root = deck(folder.parent / "squib", script)
    (root / "grau.rb").write_text(script, encoding="utf-8")
    assert dict(made(folder, root).kinds) == {"deck": 2, "grau": 2}
    for kind in ("deck", "grau"):
        assert shown(layout(folder, f"{kind}.back"), "field") == ["rechts"]


def test_a_size_that_the_script_computes_is_listed(folder: Path) -> None:
    script = SCRIPT.replace("layout: 'layout.yml'", "layout: 'layout.yml', width: dims[:w], height: '3.5in'")
    notes = made(folder, deck(folder.parent / "squib", script)).notes
    assert layout(folder, "deck").size == (63.5, 82.55)
    assert "lost: sizes of cards that the script computes; they have that of poker: width: dims[:w]" in notes


@pytest.mark.parametrize(
    ("script", "note"),
    [
        (SCRIPT + "Squib::Deck.new(cards: 2) { save }\n" * 50, "decks of a script after the first 50"),
        (
            SCRIPT.replace("  save_pdf", "  rect x: 1\n" * 2000 + "  save_pdf"),
            "what follows the first 2,000 commands of a deck",
        ),
        (SCRIPT + "# x\n" * (70 << 10), "what follows the first 256 KiB of a script"),
    ],
)
def test_what_is_left_out_of_a_long_script_is_listed(folder: Path, script: str, note: str) -> None:
    assert f"lost: {note}" in made(folder, deck(folder.parent / "squib", script)).notes
