"""Values of fields in words, as cards, rosters, and sheets print them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cardgen.game_file.cards.parts import NAME, LinePart
from cardgen.game_file.spec.kinds import FieldSpec, TypeSpec
from cardgen.text.markup import choice_label, escape_markup
from cardgen.validation.base import Model

# A value whose field is unknown, such as one inside a map.
_ANY = FieldSpec(type="text")


def title_of(name: str) -> str:
    """Return the label of a key without one: 'Hit points' for 'hit_points'."""
    words = name.replace("_", " ").replace("-", " ")
    return words[:1].upper() + words[1:]


class FieldWords:
    """Words for the values of fields, given the types of parts of a game."""

    def __init__(self, types: Mapping[str, TypeSpec]) -> None:
        self._types = types

    def lines(self, value: object, spec: FieldSpec, label: str) -> Iterator[str]:
        """Yield the marked-up lines of a list, map, or part.

        Values that are no parts share a line.
        """
        item_spec = spec.items or _ANY
        if isinstance(value, Model):
            yield self._part_line(value, spec, label)
        elif isinstance(value, tuple) and any(isinstance(item, Model) for item in value):
            for item in value:
                yield from self.lines(item, item_spec, label)
        elif isinstance(value, dict) and any(isinstance(item, Model | tuple | dict) for item in value.values()):
            for key, item in value.items():
                yield from self.lines(item, item_spec, title_of(key))
        elif isinstance(value, tuple | dict) and value:
            yield f"**{escape_markup(label)}** {self.line(value, spec)}"

    def line(self, value: object, spec: FieldSpec) -> str:
        """Return values on one line, separated by commas."""
        item_spec = spec.items or _ANY
        if isinstance(value, dict):
            return ", ".join(
                f"{escape_markup(str(key))} {self.line(item, item_spec)}".strip() for key, item in value.items()
            )
        if isinstance(value, tuple):
            return ", ".join(self.line(item, item_spec) for item in value)
        if isinstance(value, Model):
            return self._part_line(value, spec, "")
        text = "" if value is True else str(value)
        return escape_markup(choice_label(text) if spec.type == "choice" else text)

    def _part_line(self, part: Model, spec: FieldSpec, label: str) -> str:
        """Return a part as its name and its line, or its values."""
        name = escape_markup(getattr(part, NAME, "") or label)
        line = part.line if isinstance(part, LinePart) else ""
        if line:
            return f"**{name}** {escape_markup(line)}"
        specs = self._types[spec.type].fields if spec.type in self._types else {}
        values = ((key, value) for key, value in part if key != NAME and value not in (None, False, (), {}))
        words = (
            f"{escape_markup(title_of(key).lower())} {self.line(value, specs.get(key, _ANY))}" for key, value in values
        )
        return f"**{name}** {', '.join(map(str.strip, words))}"
