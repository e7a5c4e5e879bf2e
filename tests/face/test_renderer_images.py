"""`<image>` in templates and drawings, linked or embedded: the same as a `cg:art`."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.face.face import Artwork, Face, Picture
from cardgen.runtime.user_folders import embedded_picture
from cardgen.units import Box, mapped_box
from tests.face.inkscape_drawings import drawing
from tests.face.rendering import SIZE, Desk, svg

CARD = "kind: pawn\nname: Tom\n"
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR4nGM4IWf2//9/AAmoA5TyWeXQAAAAAElFTkSuQmCC"
)
ADDRESS = "data:image/png;base64," + base64.b64encode(PNG).decode()
SIDES = 'x="5" y="10" width="20" height="30"'


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    (tmp_path / "templates/chess").mkdir(parents=True)
    (tmp_path / "templates/chess/frame.png").write_bytes(PNG)
    tmp_path.joinpath("art").mkdir()
    (tmp_path / "art/a b.png").write_bytes(PNG)
    (tmp_path / "templates").rename(tmp_path / "kept")
    desk = Desk(tmp_path)
    (tmp_path / "kept/chess/frame.png").rename(tmp_path / "templates/chess/frame.png")
    return desk


def face_of(desk: Desk, body: str, name: str = "pawn.svg.j2") -> Face:
    desk.template(name, svg(body) if name.endswith("j2") else drawing(body))
    return desk.studio().front(desk.entry(CARD), SIZE).face


def picture(desk: Desk, body: str, name: str = "pawn.svg.j2") -> Picture:
    (item,) = (item for item in face_of(desk, body, name).items if isinstance(item, Picture))
    return item


def fault(desk: Desk, body: str, name: str = "pawn.svg.j2") -> str:
    with pytest.raises(CardgenError) as caught:
        face_of(desk, body, name)
    return "\n".join(each.message for each in caught.value.diagnostics)


@pytest.mark.parametrize("name", ["href", "xlink:href"])
def test_an_image_is_a_picture_beside_the_template(desk: Desk, name: str) -> None:
    drawn = picture(desk, f'<image {SIDES} {name}="frame.png"/>')
    assert drawn.path == desk.root / "templates/chess/frame.png"
    assert drawn.box == Box(5, 10, 20, 30)
    assert drawn.fit == "meet"


def test_it_is_found_in_the_project_as_art_is(desk: Desk) -> None:
    assert picture(desk, f'<image {SIDES} href="art/a%20b.png"/>').path == desk.root / "art/a b.png"
    assert picture(desk, f'<image {SIDES} href="../../art/a b.png"/>').path == desk.root / "art/a b.png"
    assert picture(desk, f'<cg:art {SIDES} href="frame.png"/>').path.name == "frame.png"


@pytest.mark.parametrize(
    ("aspect", "whole"),
    [
        ("", Box(0, 5, 20, 10)),
        ("xMidYMid meet", Box(0, 5, 20, 10)),
        ("xMinYMax", Box(0, 10, 20, 10)),
        ("xMaxYMid slice", Box(-20, 0, 40, 20)),
        ("none", Box(0, 0, 20, 20)),
    ],
)
def test_the_aspect_is_kept_as_written(desk: Desk, aspect: str, whole: Box) -> None:
    drawn = picture(desk, f'<image width="20" height="20" href="frame.png" preserveAspectRatio="{aspect}"/>')
    assert drawn.place(2, 1) == pytest.approx(whole)


def test_its_transform_and_opacity_count(desk: Desk) -> None:
    body = f'<g transform="translate(1 2)"><image {SIDES} transform="scale(2)" opacity="50%" href="frame.png"/></g>'
    drawn = picture(desk, body)
    assert mapped_box(drawn.box, drawn.matrix) == Box(11, 22, 40, 60)
    assert drawn.opacity == 0.5
    styled = picture(desk, f'<image {SIDES} style="opacity:0.25;image-rendering:optimizeSpeed" href="frame.png"/>')
    assert styled.opacity == 0.25


def test_a_clip_path_is_its_mask(desk: Desk) -> None:
    clip = '<clipPath id="c"><circle cx="15" cy="25" r="5"/><path d="M0 0H9V9" transform="translate(1 0)"/></clipPath>'
    drawn = picture(desk, f'<defs>{clip}</defs><image {SIDES} clip-path="url(#c)" href="frame.png"/>')
    kinds = [kind for kind, *_ in drawn.mask]
    assert kinds.count("M") == kinds.count("Z") == 2
    assert ("M", 1, 0) in drawn.mask
    share = '<clipPath id="c" clipPathUnits="objectBoundingBox"><rect width="0.5" height="1"/></clipPath>'
    drawn = picture(desk, f'{share}<image {SIDES} style="clip-path:url(#c)" href="frame.png"/>')
    assert drawn.mask[:3] == (("M", 5, 10), ("L", 15, 10), ("L", 15, 40))


@pytest.mark.parametrize("address", [ADDRESS, ADDRESS.replace("KGgo", "KGgo\n &#10;"), ADDRESS + "&#xA;"])
@pytest.mark.parametrize("name", ["pawn.svg.j2", "pawn.svg"])
def test_an_embedded_picture_is_kept_as_a_file(desk: Desk, address: str, name: str) -> None:
    assert picture(desk, f'<image {SIDES} xlink:href="{address}"/>', name).path.read_bytes() == PNG


def test_lines_stay_where_they_are_behind_an_embedded_picture(desk: Desk) -> None:
    desk.template("pawn.svg.j2", svg(f'<image {SIDES} href="{ADDRESS[:40]}\n{ADDRESS[40:]}"/>\n<rectt/>'))
    with pytest.raises(CardgenError) as caught:
        desk.studio().front(desk.entry(CARD), SIZE)
    (found,) = caught.value.diagnostics
    assert found.place.span
    assert found.place.span.line == 3


def test_a_large_embedded_picture_does_not_count_as_template(desk: Desk) -> None:
    more = base64.b64encode(PNG + bytes(3 << 20)).decode()
    drawn = picture(desk, f'<image {SIDES} xlink:href="data:image/png;base64,{more}"/>', "pawn.svg")
    assert drawn.path.stat().st_size > 3 << 20


@pytest.mark.share(2)
def test_all_of_many_embedded_pictures_are_kept(desk: Desk) -> None:
    addresses = (
        f"data:image/png;base64,{base64.b64encode(PNG + bytes([n // 256, n % 256])).decode()}" for n in range(600)
    )
    face = face_of(desk, "".join(f'<image {SIDES} href="{address}"/>' for address in addresses))
    assert len(face.items) == 600
    assert all(isinstance(item, Picture) and item.path.is_file() for item in face.items)


def test_an_embedded_drawing_is_reduced_like_a_linked_one(desk: Desk) -> None:
    source = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><rect width="2" height="1" fill="#123456"/></svg>'
    )
    address = "data:image/svg+xml;base64," + base64.b64encode(source.encode()).decode()
    (item,) = face_of(desk, f'<image {SIDES} opacity="0.5" href="{address}"/>').items
    assert isinstance(item, Artwork)
    assert b"#123456" in item.svg
    assert b'opacity="0.5"' in item.svg
    script = base64.b64encode(source.replace("<rect", "<script>1</script><rect").encode()).decode()
    assert "scripts" in fault(desk, f'<image {SIDES} href="data:image/svg+xml;base64,{script}"/>')


@pytest.mark.parametrize(
    ("image", "message"),
    [
        (f"<image {SIDES}/>", "has no picture"),
        ('<image x="1" height="2" href="frame.png"/>', "<image> needs the attribute 'width'"),
        (f'<image {SIDES} href="gone.png"/>', "file 'gone.png' not found"),
        (f'<image {SIDES} href="../../../out.png"/>', "points outside the project"),
        (f'<image {SIDES} href="..%2f..%2f..%2fout.png"/>', "points outside the project"),
        (f'<image {SIDES} href="/etc/passwd"/>', "is an absolute path"),
        (f'<image {SIDES} href="file:///etc/passwd"/>', "is a URL; save the file in the project"),
        (f'<image {SIDES} href="https://example.org/a.png"/>', "is a URL; save the file in the project"),
        (f'<image {SIDES} href="a%00.png"/>', "is not a valid path"),
        (f'<image {SIDES} href="data:text/html,x"/>', "an embedded picture must be PNG"),
        (f'<image {SIDES} href="data:image/png;base64,###"/>', "an embedded picture must be PNG"),
        (f'<image {SIDES} href="data:cardgen,../../secret.png"/>', "an embedded picture must be PNG"),
        (f'<image {SIDES} preserveAspectRatio="wide" href="frame.png"/>', "not a valid preserveAspectRatio"),
        (f'<image {SIDES} opacity="x" href="frame.png"/>', "<image>"),
        (f'<image {SIDES} style="filter:url(#f)" href="frame.png"/>', "the property 'filter' of <image>"),
        (f'<image {SIDES} clip-path="url(#c)" href="frame.png"/>', "is not a <clipPath>"),
        (f'<g opacity="0.5"><image {SIDES} href="frame.png"/></g>', "<image> cannot be inside <g opacity=…>"),
        (f'<pattern id="p"><image {SIDES} href="frame.png"/></pattern>', "<image> cannot be inside <pattern>"),
    ],
)
def test_what_an_image_cannot_be_is_said(desk: Desk, image: str, message: str) -> None:
    assert message in fault(desk, image)


def test_a_fault_is_where_the_template_names_the_picture(desk: Desk) -> None:
    desk.template("pawn.svg.j2", svg(f'\n<rect/>\n<image {SIDES} href="gone.png"/>'))
    with pytest.raises(CardgenError) as caught:
        desk.studio().front(desk.entry(CARD), SIZE)
    (found,) = caught.value.diagnostics
    assert found.place.file.endswith("pawn.svg.j2")
    assert found.place.span
    assert found.place.span.line == 3


def test_a_picture_that_is_not_kept_is_not_invented() -> None:
    with pytest.raises(ValueError, match="is not in the cache anymore"):
        embedded_picture(f"data:cardgen,embedded-{'0' * 32}.png")


def test_a_kept_picture_that_was_replaced_is_not_used(desk: Desk) -> None:
    path = picture(desk, f'<image {SIDES} href="{ADDRESS}"/>').path
    path.write_bytes(b"something else")
    assert picture(desk, f'<image {SIDES} href="{ADDRESS}"/>').path.read_bytes() == PNG


def test_pictures_of_a_drawing_print_where_it_shows_them(desk: Desk) -> None:
    clip = '<clipPath id="c1"><rect x="1" y="2" width="4" height="4"/></clipPath>'
    image = (
        '<g inkscape:groupmode="layer" style="display:inline" transform="translate(3 0)"><image id="image1" x="1" '
        'y="2" width="10" height="6" preserveAspectRatio="none" style="opacity:0.5;image-rendering:optimizeQuality" '
        'clip-path="url(#c1)" transform="scale(2)" xlink:href="frame.png"/></g>'
    )
    drawn = picture(desk, f"<defs>{clip}</defs>{image}", "pawn.svg")
    assert drawn.path == desk.root / "templates/chess/frame.png"
    assert (drawn.fit, drawn.opacity) == ("stretch", 0.5)
    assert mapped_box(drawn.box, drawn.matrix) == pytest.approx(Box(5, 4, 20, 12))
    assert drawn.mask[0] == ("M", 2, 4)


def test_what_a_picture_of_a_drawing_cannot_have_is_said(desk: Desk) -> None:
    image = f'<image id="image1" {SIDES} xlink:href="frame.png"/>'
    assert "'image1' is a picture, so 'g1'" in fault(desk, f'<g id="g1" style="opacity:0.5">{image}</g>', "pawn.svg")
    blurred = image.replace("<image", '<image style="filter:url(#f)"')
    assert "'image1' has a filter" in fault(desk, blurred, "pawn.svg")
