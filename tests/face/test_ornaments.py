from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import TemplateRuntimeError

from cardgen.face.face import read_icon
from cardgen.face.ornaments import (
    COLOURS,
    DIVISIONS,
    METALS,
    ORDINARIES,
    TINCTURES,
    Ornaments,
    choose_arms,
    choose_charge,
    draw_emblem,
)
from cardgen.face.theme import load_theme
from cardgen.project.files import built_in_folder
from cardgen.svg.chunks import split_svg
from cardgen.text.shaped_row import Drawings, Icons

TEMPLATES = built_in_folder("templates")
CHARGES = Drawings([TEMPLATES / "shared" / "charges"]).names()
SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0H{0}V{0}Z"/></svg>'
TINTED = {name: f"#{at:06x}" for at, name in enumerate((*TINCTURES, "line"))}


def draw(name: str, x: float, y: float, size: float, fill: str, detail: str) -> str:
    return f'<path id="{name}" transform="translate({x} {y})" d="M0 0H{size}" fill="{fill}" stroke="{detail}"/>'


def emblem(identity: str) -> str:
    return draw_emblem(choose_arms(identity, CHARGES), 3, 4, 20, TINTED, draw)


def ornaments(folder: Path) -> Ornaments:
    theme = load_theme([TEMPLATES], "warniris", "default")
    return Ornaments(theme, Icons(charges=Drawings([folder], read_icon)))


def test_the_same_id_always_has_the_same_arms() -> None:
    arms = choose_arms("sentinel", CHARGES)
    assert arms == choose_arms("sentinel", reversed(CHARGES))
    assert (arms.division, arms.ordinary) == ("per pale", "none")


def test_hundreds_of_ids_have_arms_that_differ() -> None:
    assert len({choose_arms(f"card-{number}", CHARGES) for number in range(900)}) > 880


def test_a_new_charge_takes_its_share_and_all_other_cards_keep_theirs() -> None:
    ids = [f"card-{number}" for number in range(2000)]
    before = {name: choose_charge(name, CHARGES[1:]) for name in ids}
    after = {name: choose_charge(name, CHARGES) for name in ids}
    changed = {name for name in ids if before[name] != after[name]}
    assert {after[name] for name in changed} == {CHARGES[0]}
    assert 5 <= len(changed) <= 3 * len(ids) / len(CHARGES)
    assert set(after.values()) == set(CHARGES)


@given(st.text(max_size=30))
def test_a_colour_never_lies_on_a_colour_nor_a_metal_on_a_metal(identity: str) -> None:
    shown = choose_arms(identity, CHARGES)
    assert shown.division in DIVISIONS
    assert set(shown.field) <= set(COLOURS)
    assert shown.field[0] != shown.field[1]
    assert shown.metal in METALS
    ordinary = ORDINARIES[shown.ordinary]
    found = re.findall(rf'id="{shown.charge}".*?fill="(#\w+)" stroke="(#\w+)"', emblem(identity))
    charge, detail = (shown.field[0], shown.metal) if ordinary.upon else (shown.metal, shown.field[0])
    assert found == [(TINTED[charge], TINTED[detail])] * len(ordinary.spots)


def test_an_emblem_is_well_formed_and_shares_its_parts() -> None:
    chunks = split_svg(f'<svg xmlns="http://www.w3.org/2000/svg">{emblem("a")}</svg>')
    assert 3 <= len(chunks) <= 4
    others = {
        chunk
        for number in range(200)
        for chunk in split_svg(f'<svg xmlns="http://www.w3.org/2000/svg">{emblem(str(number))}</svg>')
    }
    assert chunks[-1] in others
    assert len(others) < 450


def test_every_shape_lies_on_the_shield() -> None:
    paths = [ordinary.path for ordinary in ORDINARIES.values()] + list(DIVISIONS.values())
    numbers = [float(number) for path in paths for number in re.findall(r"-?\d+(?:\.\d+)?", path)]
    assert numbers
    assert min(numbers) >= 0
    assert max(numbers) <= 116
    for ordinary in ORDINARIES.values():
        for x, y, size in ordinary.spots:
            assert size / 2 <= x <= 100 - size / 2
            assert size / 2 <= y <= 116 - size / 2


def test_it_stands_where_it_is_told() -> None:
    root = ET.fromstring(f"<svg>{emblem('a')}</svg>")
    assert {group.get("transform") for group in root.findall("g")} == {"translate(3 4) scale(0.2)"}


def test_black_and_white_take_the_tinctures_and_other_colours_stay(tmp_path: Path) -> None:
    shapes = '<path d="M0 0H9V9Z"/><path fill="white" d="M1 1H4V4Z"/><path fill="#d0ffee" d="M6 6H8V8Z"/>'
    (tmp_path / "toad.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{shapes}</svg>')
    name = next(str(number) for number in range(99) if not ORDINARIES[choose_arms(str(number), ()).ordinary].upon)
    arms = choose_arms(name, ())
    theme = load_theme([TEMPLATES], "warniris", "default")
    group = ET.fromstring(f"<svg>{ornaments(tmp_path).emblem(name, 0, 0, 20)}</svg>")[-2]
    spots = ORDINARIES[arms.ordinary].spots
    paints = [path.get("fill") for path in group.iter("path")]
    assert paints == [theme.colour(arms.metal), theme.colour(arms.field[0]), "#d0ffee"] * len(spots)


def test_white_is_drawn_right_where_a_metal_is_white(tmp_path: Path) -> None:
    """Tinctures are put in at once: that of the charge is not taken for its details."""
    shapes = '<path d="M0 0H9V9Z"/><path fill="#fff" d="M1 1H4V4Z"/>'
    (tmp_path / "toad.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{shapes}</svg>')
    drawn = ornaments(tmp_path).draw_charge("toad", 50, 50, 20, "#ffffff", "#000000")
    assert re.findall('fill="(.*?)"', drawn) == ["#ffffff", "#000000"]


def test_a_card_can_name_its_charge_or_an_icon(tmp_path: Path) -> None:
    (tmp_path / "toad.svg").write_text(SQUARE.format(9))
    (tmp_path / "newt.svg").write_text(SQUARE.format(5))
    made = ornaments(tmp_path)
    drawn = {made.emblem("a", 0, 0, 20, name) for name in ("toad", "newt", "hat-wizard")}
    assert len(drawn) == 3
    assert made.emblem("a", 0, 0, 20) in drawn
    assert made.charge_file("a", "toad") == tmp_path / "toad.svg"
    assert made.charge_file("a") in {tmp_path / "toad.svg", tmp_path / "newt.svg"}
    assert made.charge_file("a", "hat-wizard") is None
    with pytest.raises(TemplateRuntimeError, match="unknown charge 'toat'; did you mean 'toad'"):
        made.emblem("a", 0, 0, 20, "toat")


def test_a_charge_is_drawn_without_a_shield_in_two_colours(tmp_path: Path) -> None:
    (tmp_path / "toad.svg").write_text(SQUARE.format(9))
    made = ornaments(tmp_path)
    drawn = made.charge("toad", 10, 10, 4, "gules", "or")
    assert drawn == made.draw_charge("toad", 10, 10, 4, made._colour("gules"), made._colour("or"))
    assert "shield" not in drawn
    assert made.charge("hat-wizard", 10, 10, 4) != drawn
    with pytest.raises(TemplateRuntimeError, match="unknown charge 'toat'; did you mean 'toad'"):
        made.charge("toat", 1, 1, 1)


def test_without_charges_there_is_only_the_shield(tmp_path: Path) -> None:
    assert choose_arms("a", ()).charge == ""
    assert len(ET.fromstring(f"<svg>{ornaments(tmp_path).emblem('a', 0, 0, 20)}</svg>")) == 3 + bool(
        ORDINARIES[choose_arms("a", ()).ordinary].path
    )
