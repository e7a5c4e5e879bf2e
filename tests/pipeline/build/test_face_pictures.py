"""Pictures of faces have a largest size, which keeps their memory within bounds."""

from __future__ import annotations

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.pipeline.build.face_pictures import FaceShape, Renderer, Resolution, rasterize
from cardgen.units import Size
from tests.export.pdf.inspection import FONTS, face


def test_a_picture_that_would_fill_the_memory_is_refused_with_a_resolution_that_works() -> None:
    mat = face()._replace(size=Size(2000, 2000))
    with pytest.raises(CardgenError) as caught:
        rasterize([FaceShape(mat)], Resolution(300), Renderer(FONTS, "Mat"))
    (problem,) = caught.value.diagnostics
    assert problem.message == "a picture of 23622 x 23622 pixels has more than 250 million"
    assert problem.help == "use at most --dpi 200"


def test_a_mat_at_the_usual_resolution_is_not() -> None:
    mat = face()._replace(size=Size(762, 558.8))
    assert callable(rasterize([FaceShape(mat)], Resolution(300), Renderer(FONTS, "Mat")))
