"""Drawings that recur on faces, such as headings and icons, as form XObjects that faces share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from cardgen.export.pdf.artwork import Drawing
from cardgen.face.face import Face, Item

# A drawing becomes a form when it is used this often. Writing a form costs about as much as that many uses of it save.
_FORM_FROM = 12
# Shorter operators take as little space as those that paint a form.
_MIN_LENGTH = 48
# Drawings that are kept in case they recur, and items whose drawings are known.
_MAX_CANDIDATES = 2048
_MAX_ITEMS = 2048

Draw: TypeAlias = Callable[[Item, Face], Drawing]
MakeForm: TypeAlias = Callable[[Drawing, Item, Face], Drawing]


@dataclass(slots=True)
class _Uses:
    """A drawing, and the number of its uses."""

    drawing: Drawing
    count: int = 0


class SharedDrawings:
    """The drawings of the items of faces that have the same size and bleed.

    Whether items are the same objects changes nothing in the document: what becomes a form depends on operators.
    """

    def __init__(self, draw: Draw, make_form: MakeForm) -> None:
        self._draw = draw
        self._make_form = make_form
        # Keyed by identity, because items are long to compare; the item is stored to keep it alive.
        self._items: dict[int, tuple[_Uses, Item]] = {}
        # By operators.
        self._candidates: dict[str, _Uses] = {}
        self._forms: dict[str, _Uses] = {}

    def content(self, face: Face) -> str:
        """Return the operators that draw a face."""
        items, parts = self._items, []
        for item in face.items:
            entry = items.get(id(item))
            uses = entry[0] if entry else self._find(item, face)
            uses.count += 1
            if uses.count == _FORM_FROM:
                self._share(uses, item, face)
            parts.append(uses.drawing.operators)
        return "\n".join(parts)

    def _find(self, item: Item, face: Face) -> _Uses:
        """Return the uses of the drawing of an item, which is kept if others have the same."""
        drawing = self._draw(item, face)
        uses = self._forms.get(drawing.operators) or self._candidates.get(drawing.operators)
        if uses is None:
            if len(self._candidates) >= _MAX_CANDIDATES:
                self._forget()
            uses = self._candidates[drawing.operators] = _Uses(drawing)
        else:
            if len(self._items) >= _MAX_ITEMS:
                self._items.clear()
            self._items[id(item)] = (uses, item)
        return uses

    def _share(self, uses: _Uses, item: Item, face: Face) -> None:
        """Make a form of a drawing, unless it is short."""
        operators = uses.drawing.operators
        if len(operators) >= _MIN_LENGTH:
            uses.drawing = self._make_form(uses.drawing, item, face)
            self._forms[operators] = self._candidates.pop(operators)

    def _forget(self) -> None:
        """Halve the uses of all candidates, and forget those that were used only once since."""
        for uses in self._candidates.values():
            uses.count //= 2
        for key in [key for key, uses in self._candidates.items() if not uses.count]:
            del self._candidates[key]
        for number in [number for number, (uses, _) in self._items.items() if not uses.count]:
            del self._items[number]
