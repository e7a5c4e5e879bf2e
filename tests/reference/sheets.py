"""Sheets for tests, written in place, and what they may ask for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import dedent
from typing import Annotated, Any

import pytest
from pydantic import Field

from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.reference.quoting import plain
from cardgen.reference.reading import sheet_of
from cardgen.reference.resolving import resolve
from cardgen.reference.sources import Content, Judged, RefusedError, Sources
from cardgen.reference.tree import Document, Passage
from cardgen.shape.base import Int, Model
from cardgen.source import parse
from cardgen.text.icons import Icons


class Options(Model):
    times: Annotated[Int, Field(ge=1)] = 1


def repeated(options: Options) -> list[Passage]:
    if options.times > 3:
        raise RefusedError("nobody counts so far", "count to three", ("times",))
    return [Passage(plain("Again."))] * options.times


def judge(trial: str, values: Mapping[str, Any], dice: Sequence[int]) -> Judged:
    if trial != "attack":
        raise RefusedError.unknown("trial", trial, ["attack"], ("trial",))
    return Judged({"hits": "1 in 2 (50 %)"}, tuple(f"rolled {die}" for die in dice))


def number(name: str) -> str:
    if name != "turns":
        raise RefusedError.unknown("number", name, ["turns"])
    return "**5**"


def nothing(_: Options) -> list[Passage]:
    return []


SOURCES = Sources(
    {"again": Content(Options, repeated), "nothing": Content(Options, nothing)}, {"number": number}, judge
)


def document(text: str, name: str = "") -> Document:
    """The document of a sheet."""
    return resolve(sheet_of(parse(dedent(text), "sheet.yaml"), "sheet"), SOURCES, Icons(), name)


def problems(text: str) -> list[Diagnostic]:
    """What is wrong with a sheet."""
    with pytest.raises(CardgenError) as caught:
        document(text)
    return list(caught.value.diagnostics)


def said(text: str) -> list[str]:
    """What is wrong with a sheet, as the terminal shows it, without the excerpts."""
    return [str(problem) for problem in problems(text)]
