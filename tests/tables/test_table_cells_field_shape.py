from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from cardgen.tables.table import FieldShape, shape_at
from cardgen.validation.base import Int, Model, Number, Text
from tests.cases import each_case


class Part(Model):
    name: Text
    size: Int = 1


class Thing(Model):
    SYNONYMS: ClassVar[dict[str, tuple[str, ...]]] = {"motto": ("line",)}

    name: Text
    motto: Annotated[Text, Field(max_length=9)] | None = None
    rank: Literal["low", "high"] = "low"
    once: Literal[True, "turn"] | None = None
    heat: Int = 1
    tags: tuple[Text, ...] = ()
    focus: tuple[Number, Number] = (0, 0)
    parts: tuple[Part, ...] = ()
    stats: Part | None = None
    rest: Mapping[str, Text] = Field(default_factory=dict)


@each_case(
    ("path", "shape"),
    [
        (("name",), FieldShape(is_text=True)),
        (("motto",), FieldShape(is_text=True)),
        (("line",), FieldShape(is_text=True)),
        (("rank",), FieldShape(is_text=True)),
        (("once",), FieldShape()),
        (("heat",), FieldShape()),
        (("tags",), FieldShape(is_list=True, is_text=True)),
        (("focus",), FieldShape(is_list=True)),
        (("parts",), FieldShape(is_list=True)),
        (("stats",), FieldShape()),
        (("stats", "name"), FieldShape(is_text=True)),
        (("stats", "size"), FieldShape()),
        (("rest",), FieldShape()),
        (("nothing",), FieldShape()),
    ],
)
def test_the_shape_follows_the_type(path: tuple[str, ...], shape: FieldShape) -> None:
    assert shape_at((Thing,), path)._replace(choices=()) == shape


def test_the_shape_has_the_choices() -> None:
    assert shape_at((Thing,), ("rank",)).choices
    assert not shape_at((Thing,), ("name",)).choices


def test_kinds_that_disagree_have_no_shape() -> None:
    assert shape_at((Thing, Part), ("name",)) == FieldShape(is_text=True)
    assert shape_at((Thing, Part), ("size",)) == FieldShape()
