from __future__ import annotations

from typing import Any

import pytest

from cardgen.diagnostic import CardgenError, Span
from cardgen.tables import json_file
from cardgen.tables.json_file import JsonFile, read_json


def read(text: str, *, lines: bool = False) -> JsonFile:
    return read_json(text, "a.json", lines=lines)


def test_values_have_pointers_and_lines() -> None:
    file = read('[\n {"a/b": {"x~": [1, 22]}}\n]')
    place = file.positions.place((0, "a/b", "x~", 1))
    assert (str(place), place.locator) == ("a.json:2:21", "/0/a~1b/x~0/1")
    assert place.span == Span(2, 21, 2, 23)
    assert file.positions.place((0, "a/b"), key=True).span == Span(2, 3, 2, 8)


def test_the_place_of_an_absent_value_is_that_of_the_deepest_part() -> None:
    assert str(read('[{"a": 1}]').positions.place((0, "b", "c"))) == "a.json:/0"


def test_json_lines_are_a_list() -> None:
    file = read('{"a": 1}\n\n  {"a": 2}\n', lines=True)
    assert file.data == [{"a": 1}, {"a": 2}]
    assert str(file.positions.place((1, "a"))) == "a.json:3:9"
    assert file.positions.place((1, "a")).span == Span(3, 9, 3, 10)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"a\.json:1:1: error\[CG040\]: invalid JSON: expecting value"),
        ('[{"a": 1,}]', r"a\.json:1:9: error\[CG040\]: invalid JSON: a comma before '}'"),
        ('["a', r"a\.json:1:2: error\[CG040\]: invalid JSON: unterminated string"),
        ("[" * 100_000, r"a\.json:1:33: error\[CG010\]: values are nested more than 32 levels"),
        ("[" * 33 + "]" * 33, r"error\[CG010\]: values are nested more than 32 levels"),
        ("[" + "1" * 5000 + "]", r"a\.json:1:2: error\[CG015\]: number is out of range"),
    ],
)
def test_broken_files_are_refused_with_a_place(text: str, message: str) -> None:
    with pytest.raises(CardgenError, match=message):
        read(text)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ('[{"a": 1 "b": 2}]', "write a comma before it, or close what is open with '}' or ']'"),
        ('[{"a" 1}]', "write a colon after the key"),
        ("[{'a': 1}]", 'write straight double quotes: "'),
        ('[{"a": “b”}]', 'write straight double quotes: "'),
        ('[{"a": 1, {"a": 2}]', "write '}' before the comma, where the card above ends"),
        ("[{a: 1}]", "write the key in double quotes"),
        ('[{"a": True}]', "write a value: a number, a text in double quotes, true, false, or null"),
        ('["a', 'write " at the end of the text'),
        ('["a\nb"]', r"write \n in place of a line break, and close each text with a quotation mark"),
        (r'["a\d"]', r"write \\ for a backslash"),
        ("[1] [2]", "remove it, or put all cards in one list"),
    ],
)
def test_broken_files_say_what_to_write(text: str, advice: str) -> None:
    with pytest.raises(CardgenError) as caught:
        read(text)
    assert caught.value.diagnostics[0].help == advice


@pytest.mark.parametrize(
    ("value", "message", "place"),
    [
        ("NaN", "number is out of range", "a.json:/0/a"),
        ("-Infinity", "number is out of range", "a.json:/0/a"),
        ("1e999", "number is out of range", "a.json:/0/a"),
        ("9007199254740993", "number is out of range", "a.json:/0/a"),
        (r'"\ud800"', "unprintable character U+D800", "a.json:/0/a"),
        (r'"x\u0007"', "unprintable character U+0007", "a.json:/0/a"),
        ('1, "a": 2', "duplicate key 'a'", "a.json:1:11"),
    ],
)
def test_values_that_no_card_can_have_are_located(value: str, message: str, place: str) -> None:
    (problem,) = read(f'[{{"a": {value}}}]').problems
    assert (problem.message, str(problem.place)) == (message, place)


def test_brackets_in_strings_are_not_levels() -> None:
    text = "[" * 100
    assert read(f'["{text}"]').data == [text]


def test_the_number_of_values_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_file, "MAX_CELLS", 10)
    with pytest.raises(CardgenError, match="CG041"):
        read("[1,2,3,4,5,6,7,8,9,10,11]")


@pytest.mark.parametrize("text", [f"[{'NaN, ' * 5000}1]", "[{" + '"a": 1, ' * 5000 + '"a": 1}]'])
def test_many_problems_stop_the_reading(text: str) -> None:
    with pytest.raises(CardgenError) as error:
        read(text)
    assert len(error.value.diagnostics) == 101


def test_values_that_are_nested_too_deeply_are_not_searched_for_duplicate_keys() -> None:
    with pytest.raises(CardgenError, match="levels deep"):
        read('{"a": 1, "a": ' * 500 + "[" + "1, " * 200_000 + "1]" + "}" * 500)


def test_places_in_a_long_list_take_no_more_time_than_reading_it() -> None:
    rows: Any = [{"a": index, "b": "x" * 20} for index in range(20_000)]
    import json

    positions = read(json.dumps(rows)).positions
    assert [str(positions.place((index, "a"))) for index in range(0, 20_000, 40)][-1] == "a.json:/19960/a"
