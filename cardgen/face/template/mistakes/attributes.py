"""Mistakes in the attributes of text boxes that do not depend on the card."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pydantic import BaseModel

from cardgen.face.template.mistakes.syntax import Mistake
from cardgen.face.template.mistakes.wording import unknown_field, visible_fields
from cardgen.validation.suggestion import closest

# A field of the card to which errors point, as in field="weapons/0"; the name is constant.
_FIELD = re.compile(r"""<(?:cg:text|cg:room|text)\b[^<>]*?\sfield=(["'])([a-z_][a-z0-9_]*)(?:/[^"']*)?\1""")


def field_mistakes(text: str, models: Iterable[type[BaseModel]]) -> Iterator[Mistake]:
    """Yield the names that almost are a field of the card; others can belong to a part of it."""
    kinds = tuple(models)
    known = {key for model in kinds for key in _keys(model)}
    for match in _FIELD.finditer(text):
        name = match[2]
        if name not in known and closest(name, known):
            yield Mistake(text.count("\n", 0, match.start(2)) + 1, unknown_field(name, kinds), name)


def _keys(model: type[BaseModel]) -> Iterator[str]:
    """Yield the names of fields, and the keys that card files write for them."""
    yield from visible_fields(model)
    synonyms = getattr(model, "SYNONYMS", {})
    for field, info in model.model_fields.items():
        yield from (info.alias or field, *synonyms.get(info.alias or field, ()))
