from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from cardgen.export.preflight import Requirements, picture_findings, set_findings
from cardgen.units import Size

NEEDS = Requirements("Service", (Size(63, 88),), bleed=3.0, ink_limit=3.0, most_cards=2, min_dpi=250)


def picture(
    size: tuple[int, int] = (815, 1110), colour: object = "#805020", mode: str = "RGB", kind: str = "PNG"
) -> bytes:
    output = BytesIO()
    Image.new(mode, size, colour).save(output, kind)  # type: ignore[arg-type]
    return output.getvalue()


def checks(needs: Requirements = NEEDS, **pictures: bytes) -> list[tuple[str, str]]:
    named = {name.replace("_", "-"): content for name, content in pictures.items()}
    single = [(each.check, name) for name, content in named.items() for each in picture_findings(content, needs)]
    return [*single, *((each.check, each.card) for each in set_findings([f"x/{name}.png" for name in named], needs))]


def test_good_pictures() -> None:
    assert checks(a_front=picture(), a_back=picture()) == []


@pytest.mark.parametrize(
    ("content", "check"),
    [
        (picture((815, 815)), "size"),
        (picture((543, 740)), "resolution"),
        (picture(colour=(255, 255, 255, 255), mode="CMYK", kind="TIFF"), "ink"),
        (b"no picture", "picture"),
        (picture()[:300], "picture"),
    ],
)
def test_a_wrong_picture_is_named(content: bytes, check: str) -> None:
    assert checks(a_front=content, a_back=picture()) == [(check, "a-front")]


def test_blank_bleed() -> None:
    framed = Image.new("RGB", (815, 1110), "white")
    framed.paste("#805020", (35, 0, 780, 1110))
    output = BytesIO()
    framed.save(output, "PNG")
    assert checks(a_front=output.getvalue(), a_back=picture()) == [("blank-bleed", "a-front")] * 2


def test_products_have_exact_pixels() -> None:
    needs = Requirements("Service", pixels={(825, 1125)})
    assert checks(needs, a_front=picture((825, 1125)), a_back=picture((1125, 825))) == []
    assert checks(needs, a_front=picture((824, 1125)), a_back=picture((825, 1125))) == [("size", "a-front")]


def test_counts() -> None:
    three = checks(a_front=picture(), b_front=picture(), c_front=picture())
    assert [check for check, _ in three] == ["count", "count"]
