"""Cells of a table from cards: the inverse of reading their columns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from cardgen.source import Data
from cardgen.tables.cell_values import CellError, convert_cell
from cardgen.tables.columns import KIND
from cardgen.tables.field_shape import FieldShape, shape_at
from cardgen.tables.sheet import normalize
from cardgen.validation.model_keys import ModelClasses, accepted_keys

Path: TypeAlias = tuple[str, ...]


def card_grid(cards: Sequence[Mapping[str, Data]], kind: str, models: ModelClasses) -> list[list[str]]:
    """Return the table of the cards of a kind.

    The first row contains the names of the columns.

    Maps of single values have a column for each key, such as 'stats.M'.
    """
    paths = list(_paths(cards, models))
    rows = [[_cell(_value_at(card, path), shape_at(models, path)) for path in paths] for card in cards]
    header = [".".join(path) for path in paths]
    if any(row and row[0].startswith("#") for row in rows):  # Such a row would be a comment.
        return [[KIND, *header], *([kind, *row] for row in rows)]
    return [header, *rows]


def _paths(cards: Sequence[Mapping[str, Data]], models: ModelClasses) -> Iterator[Path]:
    """Yield the path of each column, in the order of the model's keys."""
    order = {key: index for index, key in enumerate(accepted_keys(models))}
    for key in sorted({key for card in cards for key in card}, key=lambda key: (order.get(key, len(order)), key)):
        values = [card[key] for card in cards if key in card]
        inner = dict.fromkeys(name for value in values if isinstance(value, dict) for name in value)
        if inner and all(map(_is_flat, values)):
            yield from ((key, name) for name in inner)
        else:
            yield (key,)


def _is_flat(value: Data) -> bool:
    """Return whether a map contains only single values.

    Its keys can then be parts of the names of columns.
    """
    return (
        isinstance(value, dict)
        and bool(value)
        and all("." not in key and isinstance(below, str | int | float | bool) for key, below in value.items())
    )


def _value_at(card: Mapping[str, Data], path: Path) -> Data:
    value: Data = dict(card)
    for step in path:
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _cell(value: Data, shape: FieldShape) -> str:
    """Return the text of a cell that is read as `value`.

    Return '' for no value.
    """
    if value is None:
        return ""
    if shape.is_text and isinstance(value, str):
        return value.strip()
    return next((text for text in _plain_forms(value) if _is_read_as(text, value, shape)), _yaml(value))


def _plain_forms(value: Data) -> Iterator[str]:
    """Yield texts without brackets and quotation marks that may be read as a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and value:
        items = list(map(_item, value))
        yield "; ".join(items)
        yield "\n".join(items)


def _item(value: Data) -> str:
    """Return the item of a list, if possible without brackets."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and len(value) == 1:
        ((key, below),) = value.items()
        if isinstance(below, str):
            return f"{key}: {below}"
    return _yaml(value)


def _yaml(value: Data) -> str:
    return json.dumps(value, ensure_ascii=False)


def _is_read_as(text: str, value: Data, shape: FieldShape) -> bool:
    cell = normalize(text)
    try:
        return cell is not None and convert_cell(cell, shape) == value
    except CellError:
        return False
