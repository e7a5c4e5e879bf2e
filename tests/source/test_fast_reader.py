"""Whatever the file holds, reading gives data or says why not, and every place points at what stands there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cardgen.diagnostic import Place
from cardgen.source import Document, KeyPath, parse_document, read_document
from cardgen.source.composer import compose
from cardgen.source.document import sanitize
from cardgen.source.fast_reader import read_fast
from cardgen.source.fast_scalars import NeedsComposer
from cardgen.source.scalars import resolve_plain
from cardgen.source.yaml_parser import DEFAULT_PARSER, parse_events

YAML_LIKE = st.lists(
    st.sampled_from(
        ["a: ", "b:", "- ", "\n", "\n  ", "\n    ", "[", "]", "{", "}", ", ", "'", '"', "|", ">-", "# c", "&x ", "*x",
         "!t ", "<<: ", "? ", "---\n", "...\n", "%", "1", "NO", "1:30", "\t", "\\", "é🗡", "@", "text"]
    ),
    max_size=25,
).map("".join)  # fmt: skip
TEXTS = st.one_of(st.text(), YAML_LIKE)
# Lines of card files; a few of them in any order, with other indentation, are often still YAML.
_LINES = (
    "kind: minion", "cards:", "- name: Old Mullein", "  motto: 'it''s so'", "stats: {M: 1, \"W x\": '2'}  # c",
    "- - a:", "weapons: [Bow: R6, {name: x}, ]", "-", "- ", "text: >", "text: |-", "  more words", "note: \"one",
    "two\"", "[a,", "b]", "{a: [b", "c]}", "# c", "", "- -1", "- x - y", "key with spaces: 1", "a: b: c", "a : b",
    "{'a': b, c : d}", "- 'x' #", "- x #c", "- x#c", "- \"3\\\" wide\"", "- \"\\t\"", "- ~", "n:",
    "- [a b:c, -2, e?]", "a: [b]c", "---", "- 'x' # c",
)  # fmt: skip
PLAIN_YAML = st.lists(st.tuples(st.integers(0, 6), st.sampled_from(_LINES)), max_size=8).map(
    lambda lines: "\n".join(" " * indentation + line for indentation, line in lines) + "\n"
)
WORDS = (
    st.text("abcXYZ é🗡", min_size=1, max_size=6)
    .map(str.strip)
    .filter(lambda text: text and resolve_plain(text).is_valid)
)
DATA = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**53), 2**53), WORDS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(WORDS, inner, max_size=4)),
    max_leaves=15,
)


def lines_of(text: str) -> list[str]:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def check_place(place: Place, lines: list[str]) -> None:
    span = place.span
    assert span is not None
    assert (1, 1) <= (span.line, span.column) <= (span.end_line, span.end_column)
    assert span.end_line <= len(lines)
    assert span.column <= len(lines[span.line - 1]) + 1
    assert span.end_column <= len(lines[span.end_line - 1]) + 1
    assert len(place.source_line) == len(lines[span.line - 1])


def routes(data: object, route: KeyPath = ()) -> Iterator[tuple[KeyPath, object]]:
    yield route, data
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, item in items:
        yield from routes(item, (*route, step))


@given(TEXTS)
def test_no_text_crashes_the_reader(text: str) -> None:
    document = parse_document(text, "f")
    lines = lines_of(text)
    for diagnostic in document.diagnostics:
        check_place(diagnostic.place, lines)
        assert diagnostic.code.startswith("CG0")
        assert diagnostic.message
    assert list(document.diagnostics) == sorted(document.diagnostics, key=lambda diagnostic: diagnostic.sort_key())
    if document.root is not None:
        for route, _ in routes(document.data):
            check_place(document.place(route), lines)
            check_place(document.place(route, key=True), lines)
    list(document.comments())


@given(st.one_of(st.binary(), TEXTS.map(str.encode), TEXTS.map(lambda text: text.encode("utf-16"))))
def test_no_bytes_crash_the_reader(tmp_path_factory: Any, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "random.yaml"
    path.write_bytes(content)
    document = read_document(path, "f")
    assert document.diagnostics or isinstance(document.data, dict | list | str | int | float | bool | None)


@given(TEXTS)
def test_data_without_problems_is_what_pyyaml_loads(text: str) -> None:
    document = parse_document(text, "f")
    if not document.diagnostics:
        assert document.data == yaml.load(text, Loader=DEFAULT_PARSER)


@given(st.one_of(TEXTS, PLAIN_YAML, DATA.map(lambda data: yaml.safe_dump(data, allow_unicode=True))))
def test_the_quick_way_gives_what_the_composer_gives_or_gives_up(text: str) -> None:
    clean, _ = sanitize(text.replace("\r", "\n"))
    try:
        data = read_fast(clean)
    except NeedsComposer:
        return
    composed = compose(clean, parse_events(clean))
    assert (data, []) == (composed.data, composed.problems)
    assert repr(data) == repr(composed.data), "true is not 1"


def test_cards_are_read_the_quick_way() -> None:
    files = sorted((Path(__file__).parents[2] / "cards").rglob("*.yaml"))
    assert files
    for file in files:
        assert read_fast(file.read_text(encoding="utf-8")) == parse_document(file.read_text(encoding="utf-8"), "f").data


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ('[{"a": [1]},\n"b"]\n', [{"a": [1]}, "b"]),
        ("a: it's\nb: -1  # c\n", {"a": "it's", "b": -1}),
        ("a:\n- b: c\n  d:\n-\n  - e\n", {"a": [{"b": "c", "d": None}, ["e"]]}),
        ("- - a\n  - b: c\n    d: e\n", [["a", {"b": "c", "d": "e"}]]),
        (
            "a: [b, c: d, {e: 'f''s', \"g, h\": [i]},\n  # j\n] # k\n",
            {"a": ["b", {"c": "d"}, {"e": "f's", "g, h": ["i"]}]},
        ),
        ("a: one\n  two\nb: 'one\n   two'\n", {"a": "one two", "b": "one two"}),
        ('a: ["3\\" wide\\\\",\n  \'one\n  two\']\n', {"a": ['3" wide\\', "one two"]}),
        ("a: >\n  one\n  two\n\n  three\nb: |-\n  one\n   two\n\n", {"a": "one two\nthree\n", "b": "one\n two"}),
    ],
)
def test_plain_yaml_needs_no_composer(text: str, data: object) -> None:
    assert read_fast(text) == data == parse_document(text, "f").data
    assert compose(text, parse_events(text)) == (data, parse_document(text, "f").root, [])


@pytest.mark.parametrize(
    "text",
    [
        "", "a", "a: &x b\n", "a: *x\n", "a: !t b\n", "? a\n", "<<: {a: b}\n", "a: 1\na: 2\n", "1: a\n",
        "a: no\n",
        "a: b: c\n", "a: 'b\n", "a: 'b' c\n", "a: [b\n", "a: [b]]\n", "a: {b}\n", "a: [b c: d: e]\n", "a: [, b]\n",
        "a: {b: c, b: d}\n", "a: {'b\n  c': d}\n", "a:\n b: c\n  d: e\n", "a: b\n- c\n", "a: b\n c: d\n", "---\na: b\n",
        "a:\tb\n", 'a: "\\x41"\n', "a: |+\n b\n", "a: >\n b\n  c\n", "a: |\n b", "a: b\n...\n", "a: b # c\n  d\n",
        "- " * 33 + "a\n", "a: " + "[" * 32 + "\n", "a: [" + "b, " * 2000 + "]\n", "- a\n" * 50_001,
    ],
)  # fmt: skip
def test_everything_else_needs_the_composer(text: str) -> None:
    with pytest.raises(NeedsComposer):
        read_fast(text)


@given(YAML_LIKE)
def test_both_parsers_agree(text: str) -> None:
    if not yaml.__with_libyaml__:
        return
    fast, slow = (compose(text, parse_events(text, parser)) for parser in (yaml.CSafeLoader, yaml.SafeLoader))
    if not fast.problems and not slow.problems:
        assert fast == slow


@given(DATA, st.booleans())
def test_data_survives_being_written_and_read(data: object, flow: bool) -> None:
    text = yaml.safe_dump(data, allow_unicode=True, default_flow_style=flow, sort_keys=False)
    document = parse_document(text, "f")
    assert (document.data, document.diagnostics) == (data, ())


@given(DATA)
def test_json_is_yaml(data: object) -> None:
    document = parse_document(json.dumps(data, ensure_ascii=False), "f")
    assert (document.data, document.diagnostics) == (data, ())


@given(DATA, st.booleans())
def test_every_place_points_at_what_stands_there(data: object, flow: bool) -> None:
    text = yaml.safe_dump(data, allow_unicode=True, default_flow_style=flow, sort_keys=False, width=1000)
    document = parse_document(text, "f")
    for route, value in routes(data):
        if route and isinstance(route[-1], str):
            assert text_at(document, route, key=True).strip("'\"") == route[-1]
        if not isinstance(value, dict | list):
            shown = "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
            assert text_at(document, route).strip("'\"") == shown
        elif not value:
            assert text_at(document, route) == ("{}" if isinstance(value, dict) else "[]")


def text_at(document: Document, route: KeyPath, *, key: bool = False) -> str:
    place = document.place(route, key=key)
    assert place.span is not None
    assert place.span.line == place.span.end_line
    return place.source_line[place.span.column - 1 : place.span.end_column - 1]
