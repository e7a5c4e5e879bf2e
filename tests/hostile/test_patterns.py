"""Attributes and texts of many thousand characters: recognizing them takes time in proportion to their length."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from cardgen.checking.check import RULES_KEY, FreeText
from cardgen.checking.checks import ignored_key, misspelled_word, other_name, unused_art
from cardgen.cli._completion_names import _ids_in
from cardgen.editor import completion, template_help
from cardgen.face import inkscape, inkscape_texts
from cardgen.face.template.expressions import UNKNOWN
from cardgen.face.theme import _WEIGHT
from cardgen.game_file import unit_check
from cardgen.game_file.fields import length_type
from cardgen.grammar.reading import _END, _without_close
from cardgen.model.deck import _COPIES
from cardgen.project.files import resolve_inside
from cardgen.project_checks import game_checks
from cardgen.releases.run import _POINTER
from cardgen.releases.snapshot import _LOAD
from cardgen.rulesets.diskwars.checks.unexplained_keyword import _VALUE
from cardgen.rulesets.warcry.checks.texts import _METRIC
from cardgen.rulesets.warniris.checks import effects
from cardgen.rulesets.warniris.checks.texts import INCHES
from cardgen.scaffold.game import _GAME_LINE
from cardgen.source.composer import locate_substring
from cardgen.svg.subset import _URL
from cardgen.svg.tree import parse_number, parse_reference, parse_transform, read_style
from cardgen.tables.json_file import _first_too_deep
from cardgen.tables.table import as_cell_text, keep_line_breaks
from cardgen.units import parse_length, parse_size
from cardgen.validation.validate import _ITEM_BREAK, _NUMBER
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


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (misspelled_word._NO_PROSE, "a" * LENGTH),
        (misspelled_word._NO_PROSE, "}a" * LENGTH),
        (other_name._SUBJECT, "_" * LENGTH),
        (re.compile(f"{unit_check._NUMBER}mm"), DIGITS),
    ],
    ids=["words", "icons", "marks", "units"],
)
def test_patterns_of_checks(pattern: re.Pattern[str], text: str) -> None:
    assert not _soon(pattern.findall, f"{text}!")


@pytest.mark.parametrize("part", ["a", "*_", "{", "deals 2 damage ", "in its Reaction "])
def test_sentences_without_an_end(part: str) -> None:
    text = FreeText(part * (20_000 // len(part)), RULES_KEY)
    assert not _soon(lambda text: list(effects._find_in_words(text)), text)  # type: ignore[arg-type]


@each_case("text", [f"3{SPACES}y", f"3mm{SPACES}y", f"3{SPACES}x{SPACES}y", f"{DIGITS}.y"])
@each_case(
    "read",
    [
        parse_length,
        partial(parse_size, names={}),
        TypeAdapter(length_type("hexes")).validate_python,
        TypeAdapter(length_type("cm")).validate_python,
    ],
)
def test_lengths_and_sizes(read: Callable[[str], object], text: str) -> None:
    assert not _soon(read, text)


def test_names_of_pictures_that_templates_compute() -> None:
    name = "{{ card.id }}a" * 1_000
    _, pattern = unused_art._template_pictures(f'<cg:art file="{name}.png"/>')
    assert pattern is not None
    assert _soon(pattern.fullmatch, f"art/{'a' * 2_000}.png")
    assert not _soon(pattern.fullmatch, f"art/{'a' * 2_000}.svg")


@each_case("tag", ["<cg:art ", "<cg:art file='", '<cg:art x="1" '])
def test_pictures_of_templates(tag: str) -> None:
    source = tag * (LENGTH // len(tag))
    _soon(unused_art._template_pictures, source)
    _soon(ignored_key._PRINTED_BY["art"].search, source + " file=")


def test_names_of_pictures_without_an_end() -> None:
    _soon(unused_art._template_pictures, f'<cg:art file="{"{{" * LENGTH}"/>')


def test_a_template_with_too_many_names_of_pictures_can_use_any() -> None:
    source = "".join(f'<cg:art file="{number}{{{{ card.id }}}}.png"/>' for number in range(2_000))
    _, pattern = unused_art._template_pictures(source)
    assert pattern is not None
    assert pattern.fullmatch("art/ash.png")


@each_case(
    "text", ["{% include " * LENGTH, f"{{% include {SPACES}'a' ", f'{{% include "{SPACES}', "{% include 'a'~" * 9]
)
def test_templates_that_others_load(text: str) -> None:
    _soon(_LOAD.findall, text)
    _soon(game_checks._COMPUTED.search, text)
    _soon(game_checks._LOADED.findall, text)


@each_case("text", [f"1{SPACES}1", f"1 a{SPACES}1", f"{DIGITS}a1", f"1{SPACES}a{SPACES}"])
def test_numbers_that_are_texts(text: str) -> None:
    _soon(_NUMBER.fullmatch, text)


def test_lists_that_are_texts() -> None:
    assert _soon(_ITEM_BREAK.split, f"a{SPACES}b, c") == [f"a{SPACES}b", " c"]


@each_case("text", [f"Ash{SPACES}b", f"Ash{SPACES}x2", f"2{SPACES}Ash", " x " * LENGTH])
def test_names_with_a_number_of_copies(text: str) -> None:
    assert bool(_soon(_COPIES.fullmatch, text)) == ("2" in text)


@each_case("text", ["\n" * LENGTH, SPACES, f"gitdir:{SPACES}\n" * 2, "gitdir:\n" * LENGTH])
def test_pointers_of_repositories(text: str) -> None:
    assert not _soon(_POINTER.search, text)
    assert _soon(_POINTER.search, f"{text}\n gitdir: //server/share")


@each_case("text", ["a" * LENGTH, "a." * LENGTH, "|" + SPACES, "a|" * LENGTH])
def test_expressions_that_authors_write(text: str) -> None:
    source = f"{{{{ {text}!"
    assert _soon(lambda source: template_help.expression_at(source, len(source), UNKNOWN), source) is None


@each_case("tag", ["{% for ", "{% for a in ", "{% set a=", "{% set "])
@each_case("text", [SPACES, "a" * LENGTH, "a " * LENGTH])
def test_names_that_templates_set(tag: str, text: str) -> None:
    _soon(lambda source: list(template_help._assignments(source)), f"{tag}{text}")
    _soon(lambda source: list(template_help._assignments(source)), tag * (LENGTH // len(tag)))


@each_case("line", ["- " * LENGTH, f"a:{SPACES}", "a" * LENGTH, f'"{SPACES}', "[a, " * LENGTH, "{a: " * LENGTH])
def test_lines_that_authors_write(line: str) -> None:
    _soon(lambda line: completion.incomplete_at(line, len(line)), line)


@each_case("text", ['"' + '\\"' * LENGTH, '"' + '\\"' * LENGTH + "\\", "[" * 100 + '"' + '\\"' * LENGTH])
def test_nesting_of_json_with_a_text_that_does_not_end(text: str) -> None:
    assert bool(_soon(_first_too_deep, text)) == text.startswith("[")


@each_case("read", [keep_line_breaks, as_cell_text])
def test_spaces_in_cells(read: Callable[[str], str]) -> None:
    assert _soon(read, f"a{SPACES}b \n c\n \nd\n\n \t e") == read("a b\nc\n \nd\n\n \t e").replace(" ", SPACES, 1)


def test_names_for_completion() -> None:
    assert _soon(lambda text: list(_ids_in(text)), f"kind: minion\nname: a{SPACES}b # c\n") == ["a-b"]


@each_case("text", [f"Ash{SPACES}1", f"Ash {DIGITS}x", "(" * LENGTH, f"Ash (1{SPACES}2)x"])
def test_values_of_keywords(text: str) -> None:
    _soon(lambda text: _VALUE.sub("", text), text)


@each_case("text", ["." * LENGTH + "x", ("." * 100 + ")" * 100) * 1_000 + "x", f".{SPACES}x"])
def test_ends_of_sentences(text: str) -> None:
    _soon(lambda text: list(_END.finditer(text)), text)


@each_case("close", ["." * LENGTH, " " * LENGTH, "**" * LENGTH, ".**! " * LENGTH])
def test_what_closes_a_sentence(close: str) -> None:
    assert _soon(_without_close, f"Stay{close}") == "Stay"
    assert _soon(_without_close, f"Stay{close}1") == f"Stay{close}1"


@each_case("text", [f"game:{SPACES}a b", f"game{SPACES}: a b", f"game: a{SPACES}b"])
def test_game_of_settings(text: str) -> None:
    assert not _soon(_GAME_LINE.search, text)


def test_weights_of_fonts() -> None:
    assert not _soon(_WEIGHT.search, f"Serif{SPACES}x")


@each_case("gap", [" ", "\n  "])
def test_many_findings_in_a_text(gap: str) -> None:
    words = 20_000
    source, value = gap.join(["*a"] * words), " ".join(["*a"] * words)
    places = _soon(
        lambda value: [locate_substring(source, (0, len(source)), value, at, at + 1) for at in range(0, len(value), 3)],
        value,
    )
    assert places == [(at, at + 1) for at in range(0, len(source), 2 + len(gap))]


@each_case("part", ["a/", "../", "./", "a"])
def test_paths(tmp_path: Path, part: str) -> None:
    assert _soon(lambda text: resolve_inside(tmp_path, text, tmp_path), part * LENGTH) is None


def _soon(read: Callable[[str], object], text: str) -> object:
    started = time.process_time()
    try:
        result = read(text)
    except ValueError as error:
        assert len(str(error)) < 500
        result = None
    assert time.process_time() - started < 2
    return result
