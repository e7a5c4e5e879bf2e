"""Whatever the file holds, reading gives data or says why not, and every place points at what stands there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from cardgen.diagnostic import Place
from cardgen.source import Document, KeyPath, parse_document, read_document
from cardgen.source.composer import DEFAULT_PARSER, compose, parse_events, resolve_plain
from cardgen.source.document import NeedsComposer, read_fast

YAML_LIKE = st.lists(
    st.sampled_from(
        ["a: ", "b:", "- ", "\n", "\n  ", "\n    ", "[", "]", "{", "}", ", ", "'", '"', "|", ">-", "# c", "&x ", "*x",
         "!t ", "<<: ", "? ", "---\n", "...\n", "%", "1", "NO", "1:30", "\t", "\\", "é🗡", "@", "text"]
    ),
    max_size=25,
).map("".join)  # fmt: skip
TEXTS = st.one_of(st.text(), YAML_LIKE)
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


def dumped(data: object, flow: bool) -> str:
    return yaml.safe_dump(data, allow_unicode=True, default_flow_style=flow, sort_keys=False)


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


@given(st.one_of(TEXTS, DATA.map(lambda data: yaml.safe_dump(data, allow_unicode=True))))
def test_the_quick_way_gives_what_the_composer_gives_or_gives_up(text: str) -> None:
    try:
        data = read_fast(text)
    except NeedsComposer:
        return
    composed = compose(text, parse_events(text))
    assert (data, []) == (composed.data, composed.problems)
    assert repr(data) == repr(composed.data), "true is not 1"


def test_cards_are_read_the_quick_way() -> None:
    files = sorted((Path(__file__).parents[2] / "cards").rglob("*.yaml"))
    assert files
    for file in files:
        assert read_fast(file.read_text(encoding="utf-8")) == parse_document(file.read_text(encoding="utf-8"), "f").data


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


@given(st.one_of(TEXTS, st.tuples(DATA, st.booleans()).map(lambda each: dumped(*each))))
def test_places_near_the_root_are_those_of_the_whole_tree(text: str) -> None:
    paths = [path for path, _ in routes(parse_document(text, "f").data)]
    paths += [("cards", 0, "name"), (*paths[-1], "none")]
    whole = parse_document(text, "f")
    assert parse_document(text, "f").near_places(paths) == [whole.place(path) for path in paths]


def test_the_places_of_names_compose_nothing() -> None:
    text = "kind: relic\ncards:\n- {tags: [a, {b: c}], name: Halo}\n- name: Sword\n  text: |\n    Sharp.\n"
    document = parse_document(text, "f")
    halo, sword = document.near_places([("cards", 0, "name"), ("cards", 1, "name")])
    assert not document.tree.is_composed
    assert (str(halo), str(sword)) == ("f:3:29", "f:4:9")


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
