"""The charges of coats of arms: each is a file with a blazon, drawn in one hand."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from io import BytesIO
from pathlib import Path

import resvg_py
from PIL import Image, ImageChops

from cardgen.export.pdf.translator import translate
from cardgen.face.face import read_icon
from cardgen.face.ornaments import ORDINARIES, TINCTURES, Arms, Ornaments, draw_emblem
from cardgen.face.theme import load_theme
from cardgen.project.files import built_in_folder
from cardgen.svg.chunks import root_tag
from cardgen.svg.scene import parse_path
from cardgen.text.shaped_row import Drawings, Icons
from cardgen.units import Size
from tests.cases import each_case

TEMPLATES = built_in_folder("templates")
FILES = sorted((TEMPLATES / "shared" / "charges").glob("*.svg"))
NAMES = [path.stem for path in FILES]
SVG = "{http://www.w3.org/2000/svg}"
# The side of the box of a charge, and the share of it that the charge fills: light ones vanish beside heavy ones.
BOX = 100
WEIGHTS = (0.2, 0.65)


def shapes(path: Path) -> list[ET.Element]:
    return list(ET.parse(path).getroot().iter(f"{SVG}path"))


def test_there_are_enough_charges() -> None:
    assert len(FILES) >= 60


@each_case("path", FILES, ids=NAMES)
def test_a_charge_is_a_square_file_with_a_blazon(path: Path) -> None:
    assert re.fullmatch("[a-z]+(-[a-z]+)*", path.stem)
    root = ET.parse(path).getroot()
    assert root.attrib == {"viewBox": f"0 0 {BOX} {BOX}"}
    title, *rest = root
    assert title.tag == f"{SVG}title"
    assert re.fullmatch("[a-z][a-z' -]+[a-z]", title.text or "")
    assert {each.tag for each in rest} == {f"{SVG}path"}
    assert {each.get("fill") for each in rest} <= {None, "#fff"}


@each_case("path", FILES, ids=NAMES)
def test_its_shapes_are_closed_and_within_its_box(path: Path) -> None:
    for shape in shapes(path):
        data = shape.attrib["d"]
        assert data.count("M") == data.count("Z")
        numbers = [number for _, *end in parse_path(data) for number in end[-2:]]
        assert 0 <= min(numbers) <= max(numbers) <= BOX


@each_case("path", FILES, ids=NAMES)
def test_it_fills_its_box_as_the_others_do(path: Path) -> None:
    png = bytes(resvg_py.svg_to_bytes(svg_string=path.read_text(encoding="utf-8"), width=BOX))
    image = Image.open(BytesIO(png)).convert("RGBA")
    drawn = image.getchannel("A").point(lambda alpha: 255 * (alpha > 127))
    body = ImageChops.multiply(drawn, image.getchannel("R").point(lambda red: 255 * (red < 128))).histogram()[255]
    assert WEIGHTS[0] <= body / BOX**2 <= WEIGHTS[1]
    left, top, right, bottom = drawn.getbbox() or (0, 0, 0, 0)
    assert max(right - left, bottom - top) >= 0.9 * BOX


@each_case("name", NAMES)
def test_it_is_drawn_beside_and_upon_every_ordinary_without_cairo(name: str) -> None:
    ornaments = Ornaments(
        load_theme([TEMPLATES], "warniris", "default"), Icons(charges=Drawings([FILES[0].parent], read_icon))
    )
    colours = dict.fromkeys((*TINCTURES, "line"), "#123456")
    for ordinary in ORDINARIES:
        arms = Arms("plain", ("gules", "azure"), ordinary, "or", name)
        drawn = draw_emblem(arms, 5, 5, 20, colours, ornaments.draw_charge)
        assert translate(root_tag(Size(30, 35), 0) + drawn.encode() + b"</svg>") is not None


def test_none_is_a_sign_of_a_religion() -> None:
    """The names are those of Font Awesome's category of religion, and of signs that look like them."""
    signs = {
        "ankh", "bible", "book-bible", "book-journal-whills", "book-quran", "book-tanakh", "chess-bishop", "chess-king",
        "church", "crescent", "cross", "dharmachakra", "dove", "gopuram", "hamsa", "hanukiah", "hands-praying", "jedi",
        "kaaba", "khanda", "menorah", "moon", "mosque", "om", "peace", "person-praying", "place-of-worship", "plus",
        "quran", "scroll-torah", "spaghetti-monster-flying", "star-and-crescent", "star-of-david", "star-of-life",
        "synagogue", "torah", "torii-gate", "vihara", "yin-yang",
    }  # fmt: skip
    assert signs.isdisjoint(NAMES)
