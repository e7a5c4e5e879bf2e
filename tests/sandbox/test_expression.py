"""Expressions: values, the same as in templates, located mistakes without names of Python, and bounds."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any, ClassVar

import pytest
from jinja2 import BaseLoader

from cardgen.model.card import Card
from cardgen.runtime.workspace import Budget, BudgetError
from cardgen.sandbox.environment import Sandbox
from cardgen.sandbox.expression import Expression, ExpressionError, TextTemplate
from cardgen.sandbox.frames import ANYTHING, Shape
from cardgen.sandbox.functions import FILTERS, FUNCTIONS, TESTS
from cardgen.sandbox.values import attribute
from cardgen.validation.base import Int
from tests.cases import each_case


class Brave(Card):
    KIND: ClassVar[str] = "brave"
    heat: Int
    armour: dict[str, int] | None = None

    @property
    def double(self) -> int:
        return 2 * self.heat


NAMES: dict[str, Any] = {
    "heat": 4, "warms": 3, "name": "Old Ash", "unset": None, "flag": True, "share": 0.5,
    "weapons": [{"name": "poker", "damage": 1}, {"name": "torch", "damage": 3}],
    "stats": {"M": 3, "T": 4}, "faces": [3, 1, 2, 3],
}  # fmt: skip


def value(source: str, **more: Any) -> Any:
    return Expression(source).evaluate({**NAMES, **more})


def failure(source: str, **more: Any) -> ExpressionError:
    with pytest.raises(ExpressionError) as caught:
        value(source, **more)
    return caught.value


# Those that templates have as well; the sandbox of the templates must give the same values.
SHARED = (
    "heat + warms * 2", "heat - 1", "heat / 2", "7 // 2", "7 % 4", "2 ** 5", "-heat", "+heat", "not flag",
    "heat > warms and flag", "heat < warms or none", "1 < heat <= 4", "heat == 4", "heat != 4", "3 in faces",
    "9 not in faces", "'sh' in name", "'yes' if flag else 'no'", "[heat, warms]", "(heat, warms)[1]", "{'a': heat}.a",
    "faces[0]", "faces[-1]", "faces[1:3]", "name[:3]", "stats['M']", "stats.M", "weapons[1].damage",
    "weapons | length", "weapons | map(attribute='name') | list", "weapons | map(attribute='damage') | sum",
    "weapons | selectattr('damage', '>', 1) | map(attribute='name') | join(', ')", "faces | sort",
    "weapons | rejectattr('damage', 'odd') | list", "faces | sort(reverse=true) | first", "faces | unique | list",
    "faces | max", "faces | min", "faces | select('odd') | list", "faces | reverse | list", "name | upper",
    "name | lower", "name | title", "name | replace('Old', 'New')", "name | trim", "name.split(' ')",
    "share | round(1)",
    "(heat * share) | int", "'12' | int", "'x' | int", "faces | last", "unset is none", "heat is number",
    "missing is defined", "missing is undefined", "missing | default(7)", "heat is odd", "heat is divisibleby 2",
    "name is string", "faces is sequence", "stats is mapping", "'%s' ~ heat ~ name", "name.startswith('Old')",
    "stats.get('W', 0)", "range(3) | list", "faces | map('abs') | list", "heat | abs", "name | wordcount",
    "heat | string",
    "flag and none",
    "weapons | groupby('damage') | length", "stats | dictsort | length", "name | capitalize", "heat | float",
)  # fmt: skip


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    yield Sandbox(BaseLoader())


@each_case("source", SHARED)
def test_it_is_the_language_of_templates(source: str, sandbox: Sandbox) -> None:
    expected: Any = sandbox.compile_expression(source, undefined_to_none=False)(NAMES)
    assert value(source) == (list(expected) if hasattr(expected, "__next__") else expected)


@each_case(
    ("source", "expected"),
    [
        ("clamp(heat + 9, 1, 6)", 6), ("clamp(0 - 3, 1, 6)", 1), ("clamp(3, 1, 6)", 3), ("heat | clamp(1, 2)", 2),
        ("slug(name)", "old-ash"), ("name | slug", "old-ash"), ("title('old ash')", "Old Ash"), ("min(3, 1, 2)", 1),
        ("max(faces)", 3), ("sum(faces)", 9), ("sum(1, 2)", 3), ("signed(2)", "+2"), ("signed(0 - 2)", "−2"),
        ("units(3, 'cm')", "3\N{NO-BREAK SPACE}cm"), ("max(weapons, attribute='damage')", 3),
        ("weapons.sum(damage)", 4), ("weapons.sum(damage * heat)", 16), ("weapons.any(damage > 2)", True),
        ("weapons.all(damage > 2)", False), ("weapons.count(name == 'torch')", 1), ("weapons.count()", 2),
        ("weapons.max(damage)", 3), ("weapons.min(damage)", 1), ("faces.count(each == 3)", 2), ("faces.sum()", 9),
        ("faces.any()", True), ("weapons.sum(each.damage)", 4), ("weapons.any(faces.count(each == damage) == 2)", True),
        ("unset | default(3)", 3), ("stats.W.x | default(3)", 3), ("unset.head | default(1)", 1),
        ("length(faces)", 4),
    ],
)  # fmt: skip
def test_functions_of_expressions(source: str, expected: object) -> None:
    assert value(source) == expected


def test_cards_have_their_fields_and_properties_and_nothing_else() -> None:
    ash = Brave(name="Ash", heat=3)
    assert [value(f"ash.{key}", ash=ash) for key in ("heat", "name", "id", "double")] == [3, "Ash", "ash", 6]
    for name in ("model_dump", "__class__", "_abc", "copy", "KIND", "model_fields"):
        assert "without" in failure(f"ash.{name}", ash=ash).message
    assert attribute(ash, "model_config") is not None
    assert value("each.any(heat > 2)", each=[ash]) is True


@each_case(
    ("source", "message", "blamed"),
    [
        ("warms > heet", "unknown name 'heet'; did you mean 'heat'?", "heet"),
        ("weapons[0].damge", "'it' is a map without 'damge'; did you mean 'damage'?", "damge"),
        ("stats.W", "'stats' is a map without 'W'", "W"),
        ("unset.head", "'unset' has no value here, so it has no 'head'", "head"),
        ("heat > name", "'>' cannot compare a number and a text", ""),
        ("heat + name", "'+' needs a number, not a text", "+"),
        ("heat - unset", "'-' needs a number, not nothing", "-"),
        ("heat / 0", "cannot divide by zero", ""),
        ("heat % 0", "cannot divide by zero", ""),
        ("clmp(1, 2, 3)", "unknown function 'clmp'; did you mean 'clamp'?", "clmp"),
        ("name | uper", "unknown filter 'uper'; did you mean 'upper'?", "uper"),
        ("name is strng", "unknown test 'strng'; did you mean 'string'?", "strng"),
        ("name.format(1)", "unknown function 'format'", "format"),
        ("clamp(1)", "'clamp' cannot be used with these values", "clamp"),
        ("max([])", "'max' needs at least one value", "max"),
        ("sum(weapons)", "'sum' needs a number, not a map", "sum"),
        ("faces[9]", "'faces' has 4 items, so item 9 does not exist", ""),
        ("heat heat", "unexpected 'heat'", "heat"),
        ("heat = 3", "unexpected '='; write '==' to compare", "="),
        ("heat => 3", "unexpected '='; write '>='", "="),
        ("heat >", "not a valid expression: unexpected end", ""),
        ("", "an expression cannot be empty", ""),
        ("'a'.split('')", "'split' cannot be used with these values", "split"),
        ("weapons.sum(damge)", "unknown name 'damge'; did you mean 'damage'?", "damge"),
        ("faces | map('map', 'abs')", "'map' needs the name of a filter, or attribute='…'", "map"),
    ],
)  # fmt: skip
def test_mistakes_are_located(source: str, message: str, blamed: str) -> None:
    error = failure(source)
    assert error.message == message
    assert source[error.start : error.end] == (blamed or source)


BRAVE = Shape({"heat": ANYTHING, "weapons": Shape(items=Shape({"damage": ANYTHING}))})
SCOPE = {"brave": BRAVE, "members": Shape(items=BRAVE), "bonus": ANYTHING}


@each_case(
    ("source", "messages"),
    [
        ("brave.heat + bonus.anything", []),
        ("brave.heet", ["'brave' has no 'heet'; did you mean 'heat'?"]),
        ("bonsu + brave.x", ["unknown name 'bonsu'; did you mean 'bonus'?", "'brave' has no 'x'"]),
        ("members.sum(heat) + members.sum(each.heat) + bonus", []),
        ("members.sum(heet)", ["unknown name 'heet'; did you mean 'heat'?"]),
        ("members.any(weapons.any(damge > 2))", ["unknown name 'damge'; did you mean 'damage'?"]),
        ("bonus.sum(what_it_has)", []),
        ("brave.weapons[0].damge", ["'it' has no 'damge'; did you mean 'damage'?"]),
        ("missing | default(bonsu)", ["unknown name 'bonsu'; did you mean 'bonus'?"]),
        ("missing is defined", []),
    ],
)  # fmt: skip
def test_unknown_names_are_found_without_evaluating(source: str, messages: list[str]) -> None:
    assert [error.message for error in Expression(source).problems(SCOPE)] == messages


def test_unknown_names_of_texts() -> None:
    text = TextTemplate("{% set x = bonus %}{{ x }}{% for m in members %}{{ loop.index }}{{ m.y }}{% endfor %}{{ m }}")
    assert [error.message for error in text.problems(SCOPE)] == ["unknown name 'm'"]
    assert text.names == {"x", "bonus", "members", "loop", "index", "m", "y"}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("it has {{ heat }} & gives {{ warms }}", "it has 4 & gives 3"),
        ("{% if warms > 9 %}a{% elif warms == 3 %}b{% else %}c{% endif %}", "b"),
        ("{% for w in weapons %}{{ w.name }}{% if not loop.last %}/{% endif %}{% endfor %}", "poker/torch"),
        ("{% for w in [] %}{{ w.name }}{% else %}-{% endfor %}", "-"),
        ("{% for k, v in stats.items() %}{{ k }}{{ v }}{% endfor %}", "M3T4"),
        ("{% set x = heat * 2 %}{{ x }}", "8"),
        ("{{ heat / 2 }} {{ unset }} {{ flag }} {{ faces }} {{ stats }}", "2  true 3, 1, 2, 3 M: 3, T: 4"),
        ("<b>{{ name }}</b>", "<b>Old Ash</b>"),
    ],
)  # fmt: skip
def test_texts(source: str, expected: str) -> None:
    assert TextTemplate(source).render(NAMES) == expected


@pytest.mark.parametrize(
    "source", ["{% macro a() %}{% endmacro %}", "{% include 'x' %}", "{% for a in b recursive %}{% endfor %}", "{{ a"]
)
def test_texts_have_no_other_statements(source: str) -> None:
    with pytest.raises(ExpressionError):
        TextTemplate(source)


HOSTILE = (
    "range(10 ** 9) | list", "range(9999) | list | map('string') | join('x' * 99999)", "'x' * 10 ** 10",
    "10 ** 64 ** 64",
    "9 ** 9 ** 9", "range(9999).sum(range(9999).sum(range(9999).sum(each)))", "1e999", "-" * 900 + "1",
    "(" * 900 + "1" + ")" * 900, "[" * 900 + "]" * 900, "a" + ".b" * 1900, "not " * 900 + "1", "1" + " + 1" * 900,
    "().__class__.__mro__", "''.__class__", "heat.__class__", "range.__globals__", "clamp.__code__", "'{0}'.format(1)",
    "faces.__len__()", "weapons[0].__class__", "'a' ~ " * 900 + "'a'", "{{}}", "heat)", "x" * 5000,
    "faces | attr('append')", "name | tojson", "namespace(a=1)", "lipsum()", "('a' * 99999) ~ ('a' * 99999)",
    "[range(9999) | list] * 99999", "(range(999) | list).sum((range(999) | list).count(each > 1))" + " + 1" * 20,
)  # fmt: skip


@each_case("source", HOSTILE, ids=lambda source: source[:40])
def test_hostile_expressions_end_soon(source: str) -> None:
    start = time.process_time()
    try:
        result = value(source)
    except (ExpressionError, BudgetError) as error:
        assert not any(word in str(error) for word in ("object", "Python", "NoneType", "str'", "recursion"))
    else:
        assert isinstance(result, int)
    assert time.process_time() - start < 10


def test_a_run_shares_one_budget() -> None:
    source = Expression("range(9000).sum(each)")
    budget = Budget(100_000)
    with pytest.raises(BudgetError, match="all expressions together"):
        for _ in range(100):
            source.evaluate({}, budget)
    assert source.evaluate({}) == sum(range(9000))
    budget.renew()
    assert source.evaluate({}, budget) == sum(range(9000))


def test_every_test_and_filter_has_a_message_for_wrong_values() -> None:
    for values in ((None,), ([None, "a"],), ("a", 2), ({"a": 1}, "b", "c"), (3, 0)):
        names = {f"v{index}": each for index, each in enumerate(values)}
        rest = ", ".join(list(names)[1:])
        for source in (
            *(f"v0 | {name}({rest})" for name in FILTERS),
            *(f"{name}({', '.join(names)})" for name in FUNCTIONS),
            *(f"v0 is {name}({rest})" for name in TESTS if name.isalpha()),
        ):
            try:
                Expression(source).evaluate(names)
            except ExpressionError as error:
                assert "0x" not in error.message


def test_a_valid_expression_can_be_compiled_at_its_first_use() -> None:
    assert Expression("heat + 1", at_once=False).evaluate({"heat": 2}) == 3
    late = Expression("heat +", at_once=False)
    with pytest.raises(ExpressionError) as raised:
        late.evaluate({"heat": 2})
    assert raised.value.end == len("heat +")


def test_the_parser_is_loaded_at_the_first_expression() -> None:
    program = "import sys, cardgen.sandbox.expression, cardgen.game_file.loader; sys.exit('jinja2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize(
    ("source", "message", "word"),
    [
        ("{% if heat %}x{% endfi %}", "unknown tag 'endfi'; did you mean 'endif'?", "endfi"),
        ("{% fi heat %}x", "unknown tag 'fi'; did you mean 'if'?", "fi"),
        ("{% if heat %}x", "{% if %} without {% endif %}", "{% if heat %}x"),
        ("x{% endif %}", "{% endif %} without {% if %}", "x{% endif %}"),
    ],
)
def test_wrong_tags_are_named_in_plain_words(source: str, message: str, word: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        TextTemplate(source)
    error = caught.value
    assert (error.message, source[error.start : error.end]) == (message, word)
