"""All faults of a rendered SVG, although the parser stops at the first."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from xml.parsers import expat

from cardgen.affine import IDENTITY
from cardgen.face.svg import subset
from cardgen.face.svg.parser import BoxElement, SvgError, parse

_MOST_FAULTS = 50


def find_faults(svg: bytes, check_box: Callable[[BoxElement], object]) -> list[SvgError]:
    """Return the faults of all elements, with their offsets.

    `check_box` raises SvgError for an invalid text box, picture, and so on. What the parser refuses is the last fault,
    unless it is one of the others.
    """
    faults = _FaultReader(check_box).read(svg)
    try:
        parse(svg)
    except SvgError as error:
        if str(error) not in set(map(str, faults)):
            faults.append(error)
    return faults


class _FaultReader:
    def __init__(self, check_box: Callable[[BoxElement], object]) -> None:
        self._check_box = check_box
        self._faults: list[SvgError] = []
        self._box: tuple[str, dict[str, str], int] | None = None
        self._characters: list[str] = []
        self._parser = expat.ParserCreate("utf-8")

    def read(self, svg: bytes) -> list[SvgError]:
        self._parser.StartElementHandler, self._parser.EndElementHandler = self._start, self._end
        self._parser.CharacterDataHandler = self._characters.append
        with suppress(expat.ExpatError):  # The parser reports it.
            self._parser.Parse(svg, True)
        return self._faults

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        offset = self._parser.CurrentByteIndex
        fault = subset.element_fault(tag, attributes)
        if fault:
            self._add(SvgError(fault, subset.fault_word(tag, fault), offset))
        elif tag in subset.BOX_TAGS:
            self._box = (tag, attributes, offset)
            self._characters.clear()

    def _end(self, tag: str) -> None:
        if self._box is None or self._box[0] != tag:
            return
        (_, attributes, offset), self._box = self._box, None
        try:
            self._check_box(BoxElement(tag, attributes, "".join(self._characters), IDENTITY))
        except SvgError as error:
            self._add(SvgError(str(error), error.culprit, offset))

    def _add(self, fault: SvgError) -> None:
        if len(self._faults) < _MOST_FAULTS:
            self._faults.append(fault)
