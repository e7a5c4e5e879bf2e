"""Validation of documents with mistakes, as far as possible."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import pytest
from pydantic import Field

from cardgen.source import parse_document
from cardgen.validation.base import Int, Model, Text
from cardgen.validation.validate import Partial, validate_partially


class Part(Model):
    size: Int
    label: Text | None = None


class Whole(Model):
    name: Text
    parts: tuple[Part, ...] = ()
    named: Mapping[Annotated[str, Field(pattern="^[a-z]+$")], Part] = {}


def read(text: str) -> Partial[Whole]:
    return validate_partially(Whole, parse_document(text, "a.yaml"), {"name": "none"})


@pytest.mark.parametrize(
    ("text", "left", "messages"),
    [
        ("name: x\nparts: [{size: 1}]\n", {"name": "x", "parts": [1]}, []),
        ("parts: [{size: 1}]\n", {"name": "none", "parts": [1]}, ["missing key 'name'"]),
        ("name: [x]\nparts: [{size: 1}]\n", {"name": "none", "parts": [1]}, ["'name' must be text, not a list"]),
        ("name: x\nparts: [{size: a}, {size: 2}]\n", {"parts": [2]}, ["'size' must be a whole number, not 'a'"]),
        ("name: x\nprats: [{size: 1, label: 2}]\n", {"parts": [1]},
         ["unknown key 'prats'; did you mean 'parts'?", "'label' must be text, not 2"]),
        ("name: x\nfoo: 1\nparts: 3\n", {"parts": []}, ["unknown key 'foo'", "'parts' must be a list, not 3"]),
        ("name: x\nnamed: {Part: {size: 1}}\n", {"named": ["part"]}, ["'Part' cannot be 'Part'"]),
        ("name: x\nnamed: {part: {size: 2}, Part: {size: 1}}\n", {"named": ["part"]}, ["'Part' cannot be 'Part'"]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_left_out(text: str, left: dict[str, object], messages: list[str]) -> None:
    part = read(text)
    assert part.spec
    values = {"name": part.spec.name, "parts": [each.size for each in part.spec.parts], "named": list(part.spec.named)}
    assert {key: values[key] for key in left} == left
    assert [each.message for each in part.diagnostics] == messages


def test_removals_have_their_values() -> None:
    part = read("parts: [{size: {a: [b]}}, {size: 1}]\nprats: 1\n")
    assert part.removals == (
        (("name",), None),
        (("prats",), 1),
        (("parts", 0, "size"), {"a": ["b"]}),
        (("parts", 0), {}),
    )


@pytest.mark.parametrize("text", ["[]\n", "x\n", "3\n"])
def test_nothing_is_left_of_another_document(text: str) -> None:
    part = read(text)
    assert part.spec is None
    assert part.diagnostics


def test_thousands_of_mistakes_are_not_corrected_one_by_one() -> None:
    """Each correction takes a copy, which took minutes."""
    part = read("name: x\n" + "".join(f"zzz{number}: 1\n" for number in range(1_001)))
    assert part.spec is None
    assert part.removals == ()
    assert len(part.diagnostics) == 100
