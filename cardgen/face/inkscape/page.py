"""The page of a drawing: its size and units."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cardgen.affine import Matrix
from cardgen.face.inkscape.document import DrawingElement, DrawingError

_LENGTH = re.compile(r"\s*+((?:[0-9]++(?:\.[0-9]++)?+|\.[0-9]++)(?:[eE][-+]?[0-9]++)?+)\s*+([a-z%]*+)\s*+")
_MM = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72, "pc": 25.4 / 6, "px": 25.4 / 96, "": 25.4 / 96}
_LARGEST = 2_000.0


@dataclass(frozen=True, slots=True)
class Page:
    """Page of a drawing in mm, and the matrix from its units."""

    width: float
    height: float
    matrix: Matrix

    @property
    def setup(self) -> str:
        """Template code that compares the page with the trim and the bleed."""
        return f"{{% set page_ = page_origin({self.width:.5g}, {self.height:.5g}, width, height, bleed) %}}"

    @property
    def shift(self) -> str:
        """The transform from the page to the trim."""
        return "translate({{ page_[0] }} {{ page_[1] }}) "

    @property
    def opener(self) -> str:
        """The tag of a group with the units of the page."""
        numbers = " ".join(f"{number:.6g}" for number in self.matrix)
        return f'<g transform="{self.shift}matrix({numbers})">'


def read_page(root: DrawingElement) -> Page:
    """Return the page of a drawing.

    Raises DrawingError if its size is missing or not a length.
    """
    try:
        width, height = (_millimeters(root.attributes.get(name, "")) for name in ("width", "height"))
        left, top, wide, high = _view_box(root.attributes.get("viewBox", ""), width, height)
    except ValueError as error:
        raise DrawingError([(root.line, str(error))]) from None
    across, down = width / wide, height / high
    return Page(width, height, (across, 0, 0, down, -left * across, -top * down))


def _millimeters(text: str) -> float:
    match = _LENGTH.fullmatch(text)
    if match is None or match[2] not in _MM:
        message = f"the page has the size '{text[:40]}'" if text else "the page has no size"
        raise ValueError(f"{message}; set it in millimeters in File > Document Properties")
    length = float(match[1]) * _MM[match[2]]
    if not 1 <= length <= _LARGEST:
        raise ValueError(f"the page must be between 1 and {_LARGEST:,.0f} mm, not {length:g} mm")
    return length


def _view_box(text: str, width: float, height: float) -> tuple[float, float, float, float]:
    if not text:
        return 0, 0, width / _MM["px"], height / _MM["px"]
    try:
        left, top, wide, high = map(float, re.split(r"[\s,]+", text.strip()))
    except ValueError:
        raise ValueError(f"viewBox '{text[:40]}' must be four numbers") from None
    if not (0 < wide < 1e6 and 0 < high < 1e6 and abs(left) < 1e6 and abs(top) < 1e6):
        raise ValueError(f"viewBox '{text[:40]}' is out of range")
    return left, top, wide, high
