"""Template functions for cards of a game file: fields, parts, boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from cardgen.game_file.context import GameContext
from cardgen.game_file.output.field_words import FieldWords, title_of
from cardgen.game_file.spec.kinds import FIELD_TYPES, BoxCount, FieldSpec
from cardgen.model.card import Card
from cardgen.units import NBSP, Shape

MOST_BOXES = 100
_NUMBERS = frozenset({"integer", "number", "length"})
_LISTS = frozenset({"list", "map"})
# Fields that a face shows as a picture or a color, if at all.
_UNPRINTED = frozenset({"picture", "colour"})


class CardFace:
    """The functions for templates of one game."""

    def __init__(self, context: GameContext) -> None:
        self._unit, self._name, self._kinds = context.spec.unit, context.spec.name, context.kinds
        self._words = FieldWords(context.spec.types)
        self._fields: Mapping[str, Mapping[str, FieldSpec]] = {
            **{name: spec.fields for name, spec in context.spec.kinds.items()},
            **{name: spec.fields for name, spec in context.spec.lists.items()},
        }
        self._boxes: Mapping[str, Mapping[str, BoxCount]] = {
            name: spec.boxes for name, spec in context.spec.kinds.items()
        }

    @property
    def functions(self) -> Mapping[str, Callable[..., object]]:
        """The functions by name."""
        every = (self.numbers, self.details, self.parts, self.boxes, self.label, self.shape, self.game_name)
        return {function.__name__: function for function in every}

    def label(self, card: Card, name: str) -> str:
        """Return the label of a field."""
        spec = self._fields.get(card.KIND, {}).get(name)
        return (spec.label if spec else None) or title_of(name)

    def shape(self, kind: str) -> str:
        """Return the shape of the cards of a kind: 'rectangle' or 'round'."""
        return str(self._kinds[kind].shape) if kind in self._kinds else str(Shape.RECTANGLE)

    def game_name(self) -> str:
        """Return the name of the game."""
        return self._name

    def numbers(self, card: Card) -> list[dict[str, object]]:
        """Return the numbers of a card, each with label, icon, value, and field."""
        return [row for spec, row in self._rows(card) if spec.type in _NUMBERS]

    def details(self, card: Card) -> list[dict[str, object]]:
        """Return the words of a card, each with label, icon, value, and field.

        For cards that it names, `kind` is the kind of these cards, and `names` are their names or ids; otherwise, these
        are empty.
        """
        return [row for spec, row in self._rows(card) if spec.type not in _NUMBERS | _UNPRINTED]

    def _rows(self, card: Card) -> Iterator[tuple[FieldSpec, dict[str, object]]]:
        for name, spec in self._fields.get(card.KIND, {}).items():
            value = getattr(card, name)
            if value is None or value is False or value == () or _is_part(spec):
                continue
            shown = "" if value is True else self._shown(value, spec)
            row = {"label": self.label(card, name), "icon": spec.icon or "", "value": shown, "field": name}
            kind = _linked_kind(spec)
            names = () if not kind else value if isinstance(value, tuple) else (value,)
            yield spec, {**row, "kind": kind, "names": names}

    def _shown(self, value: object, spec: FieldSpec) -> str:
        return f"{value}{NBSP}{self._unit}" if spec.type == "length" else self._words.line(value, spec)

    def parts(self, card: Card) -> list[dict[str, str]]:
        """Return the lists and maps of a card as marked-up lines, each with its field."""
        return [
            {"text": line, "field": name}
            for name, spec in self._fields.get(card.KIND, {}).items()
            if _is_part(spec)
            for line in self._words.lines(getattr(card, name), spec, self.label(card, name))
        ]

    def boxes(self, card: Card) -> list[dict[str, object]]:
        """Return the rows of boxes to tick, each with label and number."""
        rows = ((name, _count(count, card)) for name, count in self._boxes.get(card.KIND, {}).items())
        return [{"label": title_of(name), "number": number, "field": name} for name, number in rows if number]


def _count(count: BoxCount, card: Card) -> int:
    number = count if isinstance(count, int) else getattr(card, count, None)
    return max(0, min(int(number), MOST_BOXES)) if isinstance(number, int | float) else 0


def _linked_kind(spec: FieldSpec) -> str:
    """Return the kind of the cards that a field or the items of a list name, or ''."""
    linked = spec.items if spec.type == "list" and spec.items else spec
    return (linked.kind or "") if linked.type == "card" else ""


def _is_part(spec: FieldSpec) -> bool:
    """Return whether a field is a list, a map, or a part of the game's own type, but not names of cards."""
    return not _linked_kind(spec) and (spec.type in _LISTS or spec.type not in FIELD_TYPES)
