"""Sheets of tests, and the providers for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import dedent
from typing import Annotated, Any

import pytest
from pydantic import Field

from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.reference.document_tree import Document, TextBlock
from cardgen.reference.resolve import BlockProvider, NotAvailableError, Providers, WorkedExample, resolve, rich_text
from cardgen.reference.sheet_file import parse_sheet
from cardgen.source import parse_document
from cardgen.text.shaped_row import Icons
from cardgen.validation.base import Int, Model


class Options(Model):
    times: Annotated[Int, Field(ge=1)] = 1


def repeated(options: Options) -> list[TextBlock]:
    if options.times > 3:
        raise NotAvailableError("nobody counts so far", "count to three", ("times",))
    return [TextBlock(rich_text("Again."))] * options.times


def judge(trial: str, values: Mapping[str, Any], dice: Sequence[int]) -> WorkedExample:
    if trial != "attack":
        raise NotAvailableError.unknown("trial", trial, ["attack"], ("trial",))
    return WorkedExample({"hits": "1 in 2 (50 %)"}, tuple(f"rolled {die}" for die in dice))


def number(name: str) -> str:
    if name != "turns":
        raise NotAvailableError.unknown("number", name, ["turns"])
    return "**5**"


def nothing(_: Options) -> list[TextBlock]:
    return []


SOURCES = Providers(
    {"again": BlockProvider(Options, repeated), "nothing": BlockProvider(Options, nothing)}, {"number": number}, judge
)


def document(text: str, name: str = "") -> Document:
    """Return the document of a sheet."""
    return resolve(parse_sheet(parse_document(dedent(text), "sheet.yaml"), "sheet"), SOURCES, Icons(), name)


def problems(text: str) -> list[Diagnostic]:
    """Return the problems of a sheet."""
    with pytest.raises(CardgenError) as caught:
        document(text)
    return list(caught.value.diagnostics)


def said(text: str) -> list[str]:
    """Return the problems of a sheet as in a terminal, without excerpts."""
    return [str(problem) for problem in problems(text)]
