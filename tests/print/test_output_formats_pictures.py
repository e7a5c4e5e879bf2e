"""Pictures of faces have a largest size, which keeps their memory within bounds."""

from __future__ import annotations

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.export import svg
from cardgen.face.face import Face
from cardgen.print.output_formats import FaceShape, Renderer, Resolution, rasterize
from cardgen.units import Box, Shape, Size
from tests.export.pdf.inspection import FONTS, artwork, face, rectangle


def test_a_picture_that_would_fill_the_memory_is_refused_with_a_resolution_that_works() -> None:
    mat = face()._replace(size=Size(2000, 2000))
    with pytest.raises(CardgenError) as caught:
        rasterize([FaceShape(mat)], Resolution(300), Renderer(FONTS, "Mat"))
    (problem,) = caught.value.diagnostics
    assert problem.message == "a picture of 23622 x 23622 pixels has more than 150 million"
    assert problem.help == "use at most --dpi 155"


def test_a_mat_at_the_usual_resolution_is_not() -> None:
    mat = face()._replace(size=Size(762, 558.8))
    assert callable(rasterize([FaceShape(mat)], Resolution(300), Renderer(FONTS, "Mat")))


GROUND = artwork(rectangle(Box(-3, -3, 69, 94), "#eeddcc") + '<circle cx="30" cy="40" r="22" fill="#7d2620"/>')
FRAME = artwork('<circle cx="30" cy="40" r="25" fill="none" stroke="#223344" opacity="0.5"/>')


@pytest.mark.parametrize("shape", [Shape.RECTANGLE, Shape.ROUND])
@pytest.mark.parametrize("largest", [0, 1 << 25])
def test_what_faces_paint_first_is_drawn_once(monkeypatch: pytest.MonkeyPatch, shape: Shape, largest: int) -> None:
    marks = [artwork(f'<path d="M5 {y}L50 {y + 9}" stroke="#123456" stroke-opacity="0.7"/>') for y in (10, 20, 30)]
    faces = [face(GROUND, FRAME, mark) for mark in marks] + [face(GROUND, *marks), face(FRAME), face(), face(GROUND)]
    alone = [_pictures([each], shape)[0] for each in faces]
    assert len(set(alone)) == len(faces)
    drawn: list[object] = []
    render = svg._render

    def record(*given: object) -> None:
        drawn.append(given)
        render(*given)

    monkeypatch.setattr(svg, "_render", record)
    monkeypatch.setattr(svg, "_MAX_GROUND_BYTES", largest)
    assert _pictures(faces, shape) == alone
    assert len(drawn) == len(faces) + (1 if largest else 5)


def _pictures(faces: list[Face], shape: Shape) -> list[bytes]:
    shown = [FaceShape(each, shape) for each in faces]
    return [*map(rasterize(shown, Resolution(100), Renderer(FONTS, "Cards")), faces)]
