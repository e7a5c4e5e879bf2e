"""Every feature of SVG is drawn as meant, or reported by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.face.face import Picture, placed
from cardgen.svg.reduction import reduce_svg
from cardgen.svg.scene import VectorArtError
from cardgen.units import Box
from tests.cases import each_case
from tests.svg import references
from tests.svg.samples import DRAWN, REPORTED, sample

# Colors in masks are rounded to 256 grays.
MOST_DIFFERENCE = 0.7


def whole_svg(content: str) -> str:
    """The reduced file in a square."""
    body = placed(reduce_svg(content.encode()), Picture(Path("x.svg"), Box(0, 0, 100, 100), "contain")).decode()
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="100mm" height="100mm" viewBox="0 0 100 100">{body}</svg>'


@pytest.mark.share(4)
@pytest.mark.parametrize("name", DRAWN)
def test_a_reduced_file_looks_as_before(name: str) -> None:
    pytest.importorskip("resvg_py")
    before, after = references.draw_with_resvg(DRAWN[name]), references.draw_with_resvg(whole_svg(DRAWN[name]))
    assert references.difference(before, after) < MOST_DIFFERENCE


def test_the_references_are_those_of_resvg() -> None:
    pytest.importorskip("resvg_py")
    for name, svg in DRAWN.items():
        drawn = references.small(references.draw_with_resvg(svg))
        assert references.difference(drawn, references.reference(name)) < 1, name


@each_case("name", REPORTED)
def test_what_cannot_be_drawn_is_reported(name: str) -> None:
    svg, feature = REPORTED[name]
    with pytest.raises(VectorArtError) as caught:
        reduce_svg(svg.encode())
    fault = caught.value.faults[0]
    assert (fault.feature, fault.line) == (feature, 1)
    assert fault.message


def test_all_faults_of_a_file_are_reported_at_their_lines() -> None:
    with pytest.raises(VectorArtError) as caught:
        reduce_svg(sample('\n<text/>\n<image/>\n<rect width="9" height="9" fill="nocolor"/>').encode())
    assert [(each.line, each.feature) for each in caught.value.faults] == [
        (2, "text"),
        (3, "embedded pictures (<image>)"),
        (4, ""),
    ]
    assert caught.value.faults[2].message == "<rect>: 'nocolor' is not a valid color"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            '<style>rect {x: 20px; width: 50px; rx: 5px}</style><rect y="1" height="9"/>',
            '<rect x="20" y="1" width="50" height="9" rx="5"/>',
        ),
        ('<rect width="9" height="9" fill="#cd853f icc-color(x, 0.1)"/>', '<rect width="9" height="9" fill="peru"/>'),
    ],
)  # fmt: skip
def test_two_notations_are_reduced_alike(one: str, other: str) -> None:
    assert reduce_svg(sample(one).encode()).body == reduce_svg(sample(other).encode()).body


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        ('viewBox="0 0 30 40"', (30, 40)),
        ('width="60" viewBox="0 0 30 40"', (60, 80)),
        ('height="20" viewBox="0 0 30 40"', (15, 20)),
        ('width="1in" height="72pt"', (96, 96)),
        ('width="100%" height="100%" viewBox="0 0 30 40"', (30, 40)),
    ],
)
def test_the_size_is_that_of_the_root(attributes: str, size: tuple[float, float]) -> None:
    assert tuple(reduce_svg(sample("", attributes).encode()).size) == pytest.approx(size)


@pytest.mark.parametrize("between", [" ", " > ", "+", " ~"])
def test_selectors_of_many_parts_are_refused(between: str) -> None:
    """Each part multiplies the ways in which the others can be found."""

    def styled(parts: int) -> bytes:
        selector = between.join(["g"] * (parts - 1) + ["rect"])
        rule = f"<style>a, {selector} , b {{fill: red}}</style>"
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{rule}<rect width="1" height="1"/></svg>'
        return svg.encode()

    reduce_svg(styled(6))
    with pytest.raises(VectorArtError, match="a selector in a style sheet has more than 6 parts"):
        reduce_svg(styled(7))
