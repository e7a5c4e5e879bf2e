from __future__ import annotations

from io import StringIO
from typing import Any
from xml.etree import ElementTree

import pytest

from cardgen.sheet.leaf import Slot
from cardgen.target.cutters.pieces import cut_dxf, cut_svg
from cardgen.units import Box, Shape, Size

PAPER = Size(297, 210)
CARD, COIN = Box(20, 30, 63, 88), Box(100, 30, 25, 25)
SLOTS = (Slot(CARD, CARD), Slot(COIN, COIN, shape=Shape.ROUND))


def read_back(content: bytes) -> Any:
    ezdxf = pytest.importorskip("ezdxf")
    document = ezdxf.read(StringIO(content.decode()))
    auditor = document.audit()
    assert not auditor.errors
    assert not auditor.fixes
    return document


def test_dxf_has_closed_lines_with_round_corners_and_circles() -> None:
    document = read_back(cut_dxf(SLOTS, PAPER, 3))
    assert document.units == 4
    (line,), (circle,) = document.modelspace().query("POLYLINE"), document.modelspace().query("CIRCLE")
    assert line.is_closed
    assert len(line.vertices) == 8
    xs, ys = ([vertex.dxf.location[axis] for vertex in line.vertices] for axis in (0, 1))
    assert (min(xs), max(xs)) == pytest.approx((20, 83))
    assert (min(ys), max(ys)) == pytest.approx((210 - 118, 210 - 30))
    arcs = [each for each in line.virtual_entities() if each.dxftype() == "ARC"]
    assert [arc.dxf.radius for arc in arcs] == pytest.approx([3] * 4, abs=1e-3)
    assert sum((arc.dxf.end_angle - arc.dxf.start_angle) % 360 for arc in arcs) == pytest.approx(360, abs=0.1)
    assert (circle.dxf.center.x, circle.dxf.center.y, circle.dxf.radius) == pytest.approx((112.5, 167.5, 12.5))


def test_dxf_corners_can_be_square() -> None:
    (line,) = read_back(cut_dxf(SLOTS[:1], PAPER, 0)).modelspace().query("POLYLINE")
    assert len(line.vertices) == 4


def test_svg_has_the_same_lines_in_millimeters() -> None:
    root = ElementTree.fromstring(cut_svg(SLOTS, PAPER, 3, "a & b"))
    name = "{http://www.w3.org/2000/svg}"
    assert (root.get("width"), root.get("viewBox")) == ("297mm", "0 0 297 210")
    rect, circle = root.find(f"{name}g/{name}rect"), root.find(f"{name}g/{name}circle")
    assert rect is not None
    assert circle is not None
    assert [float(rect.get(key, "")) for key in ("x", "y", "width", "height", "rx")] == [20, 30, 63, 88, 3]
    assert [float(circle.get(key, "")) for key in ("cx", "cy", "r")] == [112.5, 42.5, 12.5]
