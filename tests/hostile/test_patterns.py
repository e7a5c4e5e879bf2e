"""Attributes and texts of many thousand characters: recognizing them takes time in proportion to their length."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from cardgen.checking.check import RULES_KEY, FreeText
from cardgen.face import inkscape, inkscape_texts
from cardgen.rulesets.warcry.checks.texts import _METRIC
from cardgen.rulesets.warniris.checks import effects
from cardgen.rulesets.warniris.checks.texts import INCHES
from cardgen.svg.subset import _URL
from cardgen.svg.values import parse_number, parse_reference, parse_transform, read_style
from tests.cases import each_case

LENGTH = 200_000
SPACES, DIGITS = " " * LENGTH, "1" * LENGTH


@each_case("text", [f"{DIGITS}x!", f"{SPACES}!", f"1{SPACES}!", f"1.{DIGITS}!", f"1e{DIGITS}!"])
@each_case("read", [inkscape._millimeters, inkscape_texts._size, parse_number, parse_transform])
def test_numbers(read: Callable[[str], object], text: str) -> None:
    assert not _soon(read, text)


@pytest.mark.parametrize(
    "text",
    [f"url({SPACES}", f"url('{SPACES}", f"url('#a'{SPACES}x", "url(" * LENGTH, "url('" * LENGTH, "url(' " * LENGTH],
    ids=lambda text: text[:8],
)
def test_references(text: str) -> None:
    _soon(parse_reference, text)
    _soon(_URL.findall, text)


@pytest.mark.parametrize("text", ["{{" * LENGTH, "{% " * LENGTH, "{#" * LENGTH])
def test_placeholders_of_drawings(text: str) -> None:
    _soon(inkscape_texts.template_text, text)
    _soon(inkscape_texts._is_open, text)


def test_styles_of_drawings() -> None:
    _soon(read_style, "/*" * LENGTH)


@pytest.mark.parametrize("pattern", [_METRIC, INCHES], ids=["metric", "inches"])
def test_lengths_in_texts(pattern: object) -> None:
    assert not _soon(pattern.findall, DIGITS)  # type: ignore[attr-defined]


@pytest.mark.parametrize("part", ["a", "*_", "{", "deals 2 damage ", "in its Reaction "])
def test_sentences_without_an_end(part: str) -> None:
    text = FreeText(part * (20_000 // len(part)), RULES_KEY)
    assert not _soon(lambda text: list(effects._find_in_words(text)), text)  # type: ignore[arg-type]


def _soon(read: Callable[[str], object], text: str) -> object:
    started = time.process_time()
    try:
        result = read(text)
    except ValueError as error:
        assert len(str(error)) < 500
        result = None
    assert time.process_time() - started < 2
    return result
