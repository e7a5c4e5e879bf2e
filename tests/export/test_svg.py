from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import uharfbuzz  # type: ignore[import-untyped]
from PIL import Image

from cardgen.export import svg
from cardgen.face.face import Face, Picture, Text
from cardgen.svg.tree import parse_transform
from cardgen.text.copyfitting import set_line
from cardgen.text.lines import Run
from cardgen.text.shaped_row import Icons
from cardgen.units import Box, Shape, Size
from tests.export.pdf.inspection import FONTS, SANS, SERIF, artwork, block, face, line, quartered, rectangle

NAMES = {"s": "http://www.w3.org/2000/svg", "x": "http://www.w3.org/1999/xlink"}
HREF = "{http://www.w3.org/1999/xlink}href"


def drawn(shown: Face, bleed: float = 0.0) -> ElementTree.Element:
    return ElementTree.fromstring(svg.write(shown, FONTS, "Test", bleed))


def embedded(root: ElementTree.Element) -> dict[str, Any]:
    """The fonts in the style sheet by the name that they have there, opened."""
    style = root.findtext("s:style", "", NAMES)
    found = re.findall(r'font-family:"([^"]+)";src:url\(data:font/ttf;base64,([^)]+)\)', style)
    return {name: uharfbuzz.Face(base64.b64decode(data)) for name, data in found}


def test_the_file_is_as_large_as_the_trim_or_as_the_bleed() -> None:
    trimmed, bled = drawn(face()), drawn(face(), 3)
    assert (trimmed.get("width"), trimmed.get("height"), trimmed.get("viewBox")) == ("63mm", "88mm", "0 0 63 88")
    assert (bled.get("width"), bled.get("height"), bled.get("viewBox")) == ("69mm", "94mm", "-3 -3 69 94")


def test_items_come_in_paint_order() -> None:
    shown = face(artwork(rectangle(Box(0, 0, 5, 5), "#111111")), line("Over"), artwork(rectangle(Box(1, 1, 5, 5))))
    kinds = [child.tag.partition("}")[2] for child in drawn(shown)]
    assert kinds == ["title", "style", "g", "text", "g"]


def test_there_is_one_text_for_each_line_as_it_was_laid_out() -> None:
    text = block(
        "One sentence that is long enough to be broken into several lines, **bold** words among them.",
        Box(5, 5, 30, 40),
    )
    lines = [line_of.text for line_of in text.lines]
    assert len(lines) > 2
    assert ["".join(each.itertext()) for each in drawn(face(text)).findall("s:text", NAMES)] == lines


def test_every_letter_has_the_place_that_it_was_given() -> None:
    (measured,) = set_line("AVATAR", 5, 10, SERIF, FONTS, min_size=6).lines
    run = measured.pieces[0]
    assert isinstance(run, Run)
    span = drawn(face(Text((measured,)))).find("s:text/s:tspan", NAMES)
    assert span is not None
    places = [float(x) for x in span.get("x", "").split()]
    em = run.size * 25.4 / 72
    expected = [5 + sum(run.advances[:index]) * em / 1000 for index in range(len(run.text))]
    assert places == pytest.approx(expected, abs=0.001)
    assert float(span.get("y", "")) == 10
    assert float(span.get("font-size", "")) == pytest.approx(em, abs=0.001)


def test_fonts_are_inside_as_subsets_that_hold_every_letter() -> None:
    root = drawn(face(line("Sentinel"), line("Gunner ±2", y=20, style=SANS)))
    fonts = embedded(root)
    assert {name.rpartition("-")[0] for name in fonts} == {"EBGaramond-Regular", "SourceSans3-Regular"}
    for span in root.iter("{http://www.w3.org/2000/svg}tspan"):
        font = fonts[span.get("font-family", "")]
        letters = set(map(ord, span.text or ""))
        assert letters <= set(font.unicodes)
        assert font.glyph_count <= len(letters) + 3, "the font holds more than is needed"


def test_two_files_may_share_a_page() -> None:
    one, other = embedded(drawn(face(line("Anna")))), embedded(drawn(face(line("Bert"))))
    assert one.keys().isdisjoint(other.keys())


def test_letters_that_mean_something_in_xml_are_safe() -> None:
    shown = face(Text(set_line('Fire & <Steel> "quoted"', 5, 10, SERIF, FONTS, min_size=6).lines))
    assert "".join(drawn(shown).find("s:text", NAMES).itertext()) == 'Fire & <Steel> "quoted"'  # type: ignore[union-attr]


def test_icons_are_paths_in_the_colour_of_their_text() -> None:
    shown = face(Text(set_line("{heart} 5", 5, 10, SERIF, FONTS, min_size=6, icons=Icons()).lines))
    group = drawn(shown).find("s:g", NAMES)
    assert group is not None
    assert group.get("fill") == SERIF.colour
    assert group.findall("s:path", NAMES)


def test_a_group_moves_its_texts() -> None:
    shown = face(Text(line("Turned").lines, parse_transform("translate(10 20) rotate(90)")))
    group = drawn(shown).find("s:g", NAMES)
    assert group is not None
    assert group.get("transform") == "matrix(0 1 -1 0 10 20)"
    assert group.find("s:text", NAMES) is not None


@pytest.mark.parametrize(("suffix", "media_type"), [("png", "image/png"), ("jpg", "image/jpeg")])
def test_pictures_are_inside_as_they_are_cut_to_their_rounded_box(tmp_path: Path, suffix: str, media_type: str) -> None:
    path = quartered(tmp_path / f"art.{suffix}")
    root = drawn(face(Picture(path, Box(10, 20, 20, 20), "cover", (1, 0.5), radius=2)))
    image, rect = root.find(".//s:image", NAMES), root.find(".//s:clipPath/s:rect", NAMES)
    assert image is not None
    assert rect is not None
    kind, _, data = image.get(HREF, "").partition(";base64,")
    assert (kind, base64.b64decode(data)) == (f"data:{media_type}", path.read_bytes())
    assert [float(image.get(side, "")) for side in ("x", "y", "width", "height")] == [-10, 20, 40, 20]
    assert [float(rect.get(side, "")) for side in ("x", "y", "width", "height", "rx")] == [10, 20, 20, 20, 2]


def test_the_same_face_gives_the_same_bytes(tmp_path: Path) -> None:
    shown = face(line("Sentinel"), Picture(quartered(tmp_path / "a.png"), Box(1, 1, 9, 9)))
    assert svg.write(shown, FONTS, "Test") == svg.write(shown, FONTS, "Test")


def test_a_picture_taken_with_the_camera_upright_stands_upright(tmp_path: Path) -> None:
    path = tmp_path / "art.jpg"
    image = Image.open(quartered(tmp_path / "plain.png"))
    exif = Image.Exif()
    exif[0x0112] = 6
    image.save(path, quality=95, exif=exif)
    placed = drawn(face(Picture(path, Box(0, 0, 20, 40)))).find(".//s:image", NAMES)
    assert placed is not None
    assert [float(placed.get(side, "")) for side in ("x", "y", "width", "height")] == [0, 0, 20, 40]


def test_a_round_face_is_cropped_to_its_circle() -> None:
    disc = face(artwork(rectangle(Box(-9, -9, 99, 99))), line("Over"), size=Size(30, 30))
    root = ElementTree.fromstring(svg.write(disc, FONTS, "Test", shape=Shape.ROUND))
    circle = root.find("s:clipPath/s:circle", NAMES)
    assert circle is not None
    assert circle.attrib == {"cx": "15", "cy": "15", "r": "15"}
    group = root.find("s:g[@clip-path]", NAMES)
    assert group is not None
    assert group.get("clip-path") == f"url(#{root.find('s:clipPath', NAMES).get('id')})"  # type: ignore[union-attr]
    assert group.find("s:text", NAMES) is not None
    assert (
        ElementTree.fromstring(svg.write(disc, FONTS, "Test", 3, shape=Shape.ROUND)).find("s:clipPath", NAMES) is None
    )
