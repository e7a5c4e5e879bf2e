"""Mistakes in a game file are located, and reported together."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.game_file.loader import compile_game, read_game
from cardgen.source import parse_document
from tests.game_file.games import HEADER

KIND = "kinds: {brave: {fields: {heat: %s}}}\n"


def mistakes(text: str) -> list[Diagnostic]:
    try:
        context = read_game(parse_document(HEADER + text, "game.yaml"), Path())
    except CardgenError as error:
        return list(error.diagnostics)
    compile_game(context)
    return sorted(context.problems, key=Diagnostic.sort_key)


def located(text: str) -> list[tuple[str, str]]:
    """Return the marked words and the message of each mistake."""
    found = []
    for each in mistakes(text):
        span = each.place.span
        assert span is not None, each
        found.append((each.place.source_line[span.column - 1 : span.end_column - 1], each.message))
    return found


@pytest.mark.parametrize(
    ("field", "word", "message"),
    [
        ("{type: integre}", "integre", "unknown type 'integre'; did you mean 'integer'?"),
        ("{type: integer, choices: [a]}", "choices", "a field of type integer has no 'choices'"),
        ("{type: choice}", "{type: choice}", "a field of type choice needs the key 'choices'"),
        ("{type: choice, choices: [a, b], default: c}", "c", "'default' must be a or b, not 'c'"),
        ("{type: integer, min: 1, default: 0}", "0", "must be at least 1, not 0"),
        ("{type: integer, min: 2, max: 1}", "2", "'min' is 2, but 'max' is only 1"),
        ("{type: integer, max: 1, code: XX101}", "XX101", "the code must begin with the game's prefix, EM"),
        ("{type: integer, default: 1, optional: true}", "optional", "a field with a default is always optional"),
        ("{type: card, kind: bravo}", "bravo", "unknown kind 'bravo'; did you mean 'brave'?"),
        ("{type: list, items: {type: card, kind: bravo}}", "bravo", "unknown kind 'bravo'; did you mean 'brave'?"),
        ("{type: list, items: {type: txet}}", "txet", "unknown type 'txet'; did you mean 'text'?"),
        ("{type: integer, lable: x}", "lable", "unknown key 'lable'; did you mean 'label'?"),
        ("{type: integer, min: a}", "a", "'min' must be a number, not 'a'"),
    ],
)
def test_mistakes_in_a_field(field: str, word: str, message: str) -> None:
    assert located(KIND % field) == [(word, message)]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Heat", "'Heat' is not a valid name"),
        ("hot-foot", "'hot-foot' is not a valid name"),
        ("qty", "every card has the key 'qty'"),
        ("count", "every card has the key 'count'"),
        ("cards", "'cards' is a key of card files"),
        ("copy", "the name 'copy' is reserved"),
        ("model_x", "the name 'model_x' is reserved"),
        ("line", "the name 'line' is reserved"),
        ("n", "the name 'n' is true, false, or null in some versions of YAML"),
        ("x" * 41, f"the name '{'x' * 41}' is too long"),
    ],
)
def test_mistakes_in_the_name_of_a_field(name: str, message: str) -> None:
    assert located(f"kinds: {{brave: {{fields: {{{name}: {{type: integer}}}}}}}}\n") == [(name, message)]


def test_names_that_versions_of_yaml_read_differently_are_refused() -> None:
    found = located("kinds: {no: {}, on: {}}\nrulings: {a: {question: x, settings: {yes: x, b: x}}}\n")
    assert [word for word, _ in found] == ["no", "on", "yes"]
    assert all("is ambiguous" in message for _, message in found)


def test_fields_are_not_nested_too_deep() -> None:
    deep = "{type: text}"
    for _ in range(6):
        deep = f"{{type: list, items: {deep}}}"
    (found,) = mistakes(KIND % deep)
    assert found.message == "fields cannot be nested more than 4 deep"


def test_types_can_contain_each_other_but_not_themselves() -> None:
    weapon = "weapon: {fields: {ammo: {type: list, items: {type: ammo}}}}"
    assert (
        located(f"types: {{{weapon}, ammo: {{fields: {{size: {{type: integer}}}}}}}}\n{KIND % '{type: weapon}'}") == []
    )
    circle = f"types: {{{weapon}, ammo: {{fields: {{gun: {{type: weapon}}}}}}}}\n"
    ((word, message),) = located(circle + KIND % "{type: weapon}")
    assert message == f"the type '{word}' contains itself"


def test_all_mistakes_are_reported_together() -> None:
    text = (
        "types: {weapon: {fields: {arm: {type: txet}}}}\n"
        "kinds:\n"
        "  brave: {fields: {heat: {type: integre}}, size: pokre, boxes: {wounds: x}, text: '{{ haet }}'}\n"
        "  spark: {fields: {friend: {type: card, kind: bravo}}}\n"
        "sheets: [sheets/none.yaml]\n"
    )
    words = [word for word, _ in located(text)]
    assert words == ["txet", "integre", "pokre", "x", "haet", "bravo", "sheets/none.yaml"]


@pytest.mark.parametrize("text", ["", "[]\n", "a\n", "\N{BYTE ORDER MARK}", "kinds: !!python/object:os.system {}\n"])
def test_files_that_are_no_games_are_reported(text: str) -> None:
    with pytest.raises(CardgenError):
        read_game(parse_document(text, "game.yaml"), Path())


def test_a_missing_prefix_is_told_with_an_example() -> None:
    with pytest.raises(CardgenError) as caught:
        read_game(parse_document("game: ember\nname: Ember\nkinds: {brave: {}}\n", "game.yaml"), Path())
    assert [each.help for each in caught.value.diagnostics] == ["add 'prefix: EM' here"]
