"""Color operators of content streams in ink."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, TypeAlias

import pikepdf
from pikepdf import Name, Operator

from cardgen.export.press.ink import Inks

Instruction: TypeAlias = tuple[Sequence[Any], Operator]
_INK_OPERATORS = {"rg": "k", "g": "k", "sc": "k", "scn": "k", "RG": "K", "G": "K", "SC": "K", "SCN": "K"}
_SPACES = {"cs": ("sc", "scn"), "CS": ("SC", "SCN")}
_DEVICE_SPACES = {"/DeviceRGB": 3, "/DeviceGray": 1, "/CalRGB": 3, "/CalGray": 1}
_SAVE, _RESTORE = "q", "Q"


@dataclass(slots=True)
class _State:
    """Number of components of the current color spaces; 0 if their colors stay as they are."""

    fill: int = 0
    stroke: int = 0


@dataclass(slots=True)
class ContentConverter:
    """Converter of the operators of one stream; `resources` has its color spaces."""

    inks: Inks
    resources: Any
    _state: _State = field(default_factory=_State)
    _saved: list[_State] = field(default_factory=list)
    _in_text: bool = False

    def convert(self, instructions: Iterable[Any]) -> Iterator[Any]:
        """Yield the instructions with colors as ink."""
        for instruction in instructions:
            if isinstance(instruction, pikepdf.ContentStreamInlineImage):
                yield instruction
                continue
            operands, operator = instruction
            converted = self._convert(list(operands), str(operator))
            if converted is not None:
                yield converted

    def _convert(self, operands: list[Any], name: str) -> Instruction | None:
        if name in ("BT", "ET"):
            self._in_text = name == "BT"
        elif name == _SAVE:
            self._saved.append(_State(self._state.fill, self._state.stroke))
        elif name == _RESTORE and self._saved:
            self._state = self._saved.pop()
        elif name in _SPACES:
            return self._select_space(operands, name)
        elif name in _INK_OPERATORS and self._is_converted(name):
            return self._ink(operands, name)
        return (operands, Operator(name))

    def _select_space(self, operands: list[Any], name: str) -> Instruction | None:
        """Note the space; a space of the screen needs no operator, because each ink operator selects its own."""
        components = self._components(operands[0])
        if name == "cs":
            self._state.fill = components
        else:
            self._state.stroke = components
        if not components:
            return (operands, Operator(name))
        return ([0, 0, 0, 1], Operator("k" if name == "cs" else "K"))

    def _components(self, space: Any) -> int:
        definition = (self.resources.get("/ColorSpace", {}) if self.resources is not None else {}).get(
            str(space), space
        )
        if isinstance(definition, pikepdf.Array):
            if str(definition[0]) == "/ICCBased":
                number = int(definition[1].N)
                return number if number in (1, 3) else 0
            definition = definition[0]
        return _DEVICE_SPACES.get(str(definition), 0)

    def _is_converted(self, name: str) -> bool:
        if name in ("sc", "scn"):
            return self._state.fill > 0
        return name not in ("SC", "SCN") or self._state.stroke > 0

    def _ink(self, operands: list[Any], name: str) -> Instruction:
        levels = [min(1.0, max(0.0, float(operand))) for operand in operands]
        red, green, blue = levels if len(levels) == 3 else (levels[0],) * 3
        if name in ("rg", "g"):
            self._state.fill = 0
        elif name in ("RG", "G"):
            self._state.stroke = 0
        ink = self.inks.colour(red, green, blue, is_text=self._in_text)
        # rounded down, so that their total stays under the limit
        return ([Decimal(int(level * 10_000)) / 10_000 for level in ink], Operator(_INK_OPERATORS[name]))


def convert_stream(pdf: pikepdf.Pdf, stream: Any, inks: Inks) -> None:
    """Convert the content of a form or pattern in place."""
    converter = ContentConverter(inks, stream.get("/Resources"))
    stream.write(pikepdf.unparse_content_stream(list(converter.convert(pikepdf.parse_content_stream(stream)))))


def convert_page(pdf: pikepdf.Pdf, page: pikepdf.Page, inks: Inks) -> None:
    """Convert the content of a page."""
    converter = ContentConverter(inks, page.obj.get("/Resources"))
    content = pikepdf.unparse_content_stream(list(converter.convert(pikepdf.parse_content_stream(page))))
    page.obj[Name.Contents] = pdf.make_stream(content)
