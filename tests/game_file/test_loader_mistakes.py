"""Mistakes in a game file are located, and reported together."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.game_file.loader import compile_game, read_game
from cardgen.source import parse_document
from tests.cases import each_case
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


@each_case(
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


@each_case(
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


KINDS = "kinds: {brave: {}}\n"
TRIAL = KINDS + "trials: {warm: {steps: [%s, {set: {b: hoat}}, {end: '{{ n }} {{ huh }}'}]}}"


@each_case(
    ("text", "words"),
    [
        ("kinds: {brave: {frnt: 1, fields: {heat: {type: integre}}, size: pokre}}", ["frnt", "integre", "pokre"]),
        ("kinds: {brave: {feilds: {heat: {type: integre, lable: x}}}}", ["feilds", "integre", "lable"]),
        ("kinds: {Brave: {fields: {Heat: {type: integre}}, text: '{{ Heat }} {{ huh }}'}}",
         ["Brave", "Heat", "integre", "huh"]),
        ("kinds: {brave: {fields: {heat: {type: integer, code: XX301}}, size: pokre}}", ["XX301", "pokre"]),
        ("kinds: {brave: {fields: {heat: {min: 1}, cold: {type: integre}}, boxes: {a: heat}}}",
         ["{min: 1}", "integre"]),
        ("kinds: {brave: {size: 3, boxes: 4, text: '{{ huh }}'}}", ["3", "4", "huh"]),
        (TRIAL % "{roll: {dice: d6, name: x, into: n}}", ["n", "hoat", "huh"]),
        (TRIAL % "{roll: {dice: d8x, name: x, into: b}}", ["d8x", "hoat", "n", "huh"]),
        ("kinds: {brave: {}}\nsheets: [none.yaml]\nrulinks: {}\n", ["none.yaml", "rulinks"]),
        ("kinds: {brave: {size: pokre}}\nglossary: {Heat: {maens: x}}\n", ["pokre", "maens"]),
    ],
)  # fmt: skip
def test_mistakes_of_form_do_not_hide_others(text: str, words: list[str]) -> None:
    assert [word for word, _ in located(text + "\n")] == words


@pytest.mark.parametrize(
    "step", ["{edn: x}", "{when: a, end: x, else: [{edn: x}]}", "{repeat: {times: 2, steps: [{edn: x}]}}"]
)
def test_keys_of_steps_are_named_as_authors_write_them(step: str) -> None:
    found = next(each for each in mistakes(f"{KINDS}trials: {{a: {{steps: [{step}, {{end: x}}]}}}}\n"))
    keys = "when, test, roll, pool, set, ask, call, repeat, steps, else, say, end"
    assert (found.message, found.help) == ("unknown key 'edn'", f"valid keys: {keys}")


def test_codes_of_lists_are_checked() -> None:
    text = (
        "kinds: {brave: {fields: {heat: {type: integer, default: 1}}}}\n"
        "lists: {band: {members: {kind: brave, code: XX102}, limits: {heat: {max: 9, code: XX191}}},"
        " horde: {members: {kind: brave}, limits: {heat: {max: 9, code: EM191}}}}\n"
        "checks: {cold: {code: EM191, kind: brave, when: heat > 1, say: x}}\n"
    )
    prefix = "the code must begin with the game's prefix, EM"
    duplicate = "duplicate code 'EM191', also used by the limits of the list 'horde'"
    assert located(text) == [("XX102", prefix), ("XX191", prefix), ("EM191", duplicate)]


def test_what_follows_from_a_mistake_is_not_reported() -> None:
    text = (
        "types: {weapon: {fields: {arm: {typ: text}, reach: {}}, line: '{arm} {reach}'}}\n"
        "kinds: {brave: {fields: {w: {type: weapon}, heat: {type: integer, max: a}, x: {choices: [a]}},"
        " text: '{{ x }}'}}\n"
        "checks: {cold: {code: EM301, kind: brave, when: x == 'a' and heat > huh, say: x, why: 3}}\n"
        "trials: {a: {steps: [{end: 3}]}, b: {steps: [{call: {trial: a}}, {end: x}]}}\n"
    )
    words = [word for word, _ in located(text)]
    assert words == ["typ", "{}", "a", "{choices: [a]}", "huh", "3", "3"]


def test_other_mistakes_are_found_without_name_and_prefix() -> None:
    text = "kinds: {brave: {size: pokre, fields: {heat: {type: integer, max: 1, code: EM101}}}}\n"
    with pytest.raises(CardgenError) as caught:
        read_game(parse_document(f"game: [ember]\n{text}", "game.yaml"), Path())
    messages = [each.message.partition(";")[0] for each in caught.value.diagnostics]
    form = ["missing key 'name'", "missing key 'prefix'", "'game' must be text, not a list"]
    assert messages == [*form, "unknown size 'pokre'"]


@pytest.mark.parametrize("text", ["", "[]\n", "a\n", "\N{BYTE ORDER MARK}", "kinds: !!python/object:os.system {}\n"])
def test_files_that_are_no_games_are_reported(text: str) -> None:
    with pytest.raises(CardgenError):
        read_game(parse_document(text, "game.yaml"), Path())


def test_a_missing_prefix_is_told_with_an_example() -> None:
    with pytest.raises(CardgenError) as caught:
        read_game(parse_document("game: ember\nname: Ember\nkinds: {brave: {}}\n", "game.yaml"), Path())
    assert [each.help for each in caught.value.diagnostics] == ["add 'prefix: EM' here"]


@pytest.mark.parametrize("limit", ["{}", "{maxx: 3}", "{max: lots}"])
def test_a_limit_without_bounds_is_a_mistake(limit: str) -> None:
    kinds = "kinds: {brave: {fields: {heat: {type: integer}}}}\n"
    found = mistakes(f"{kinds}lists: {{band: {{members: {{kind: brave}}, limits: {{heat: {limit}}}}}}}\n")
    assert found
    assert all(each.place.file for each in found)
