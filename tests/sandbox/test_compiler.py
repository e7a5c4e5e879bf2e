"""What is noted of templates decides what is not worked out again, so it must leave nothing out."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.face.template.engine import FolderLoader, Templates
from cardgen.sandbox.compiler import TemplateDependencies
from cardgen.sandbox.environment import Sandbox
from tests.cases import each_case


def noted(folder: Path, text: str) -> TemplateDependencies:
    (folder / "t.svg.j2").write_text(text, encoding="utf-8")
    return Sandbox(FolderLoader([folder])).dependencies("t.svg.j2")


@each_case(
    ("text", "found"),
    [
        ("{% macro a(x) %}{{ x }}{% endmacro %}", {"a"}),
        ("{% macro a(x) %}{{ b(x) }}{% endmacro %}{% macro b(x) %}{{ x }}{% endmacro %}", {"a", "b"}),
        ("{% macro a(x) %}{{ b(x) }}{% endmacro %}{% macro b(x) %}{{ card }}{% endmacro %}", set()),
        ("{% macro a(x) %}{{ a(x) }}{% endmacro %}", {"a"}),
        ("{% macro a(x=card) %}{{ x }}{% endmacro %}", set()),
        ("{% macro a() %}{% for n in range(3) %}{{ n }}{% endfor %}{% endmacro %}", {"a"}),
        ("{% macro a() %}{% for n in [] %}{% endfor %}{{ n }}{% endmacro %}", set()),
        ("{% macro a() %}{{ caller() }}{% endmacro %}", set()),
        ("{% macro a() %}{{ varargs }}{% endmacro %}", set()),
        ("{% macro a() %}{% include 'x' %}{% endmacro %}", set()),
        ("{% macro a() %}{% import 'x' as x %}{% endmacro %}", set()),
        ("{% macro a() %}{% endmacro %}{% macro a() %}{% endmacro %}", set()),
        ("{% macro a() %}{{ b }}{% endmacro %}{% macro b() %}{% endmacro %}{% set b = 1 %}", set()),
        ("{% from 'x' import b %}{% macro b() %}{% endmacro %}{% macro a() %}{{ b() }}{% endmacro %}", set()),
        ("{% if x %}{% macro a() %}{% endmacro %}{% endif %}", set()),
        ("{% set n = namespace() %}{% macro a() %}{% set n.x = 1 %}{% endmacro %}", set()),
        ("{% macro a() %}{% set n = n %}{{ n }}{% endmacro %}", set()),
        ("{% set n = 1 %}{% macro a() %}{% for x in [1] %}{% set n = n + x %}{% endfor %}{% endmacro %}", set()),
        ("{% macro a() %}{% macro b() %}{{ card }}{% endmacro %}{{ b() }}{% endmacro %}", set()),
        ("{% macro a() %}{% macro b(card) %}{{ card }}{% endmacro %}{{ b(1) }}{% endmacro %}", {"a"}),
        ("{% macro a() %}{% call b() %}{{ card }}{% endcall %}{% endmacro %}{% macro b() %}{% endmacro %}", {"b"}),
        ("{% macro a(x) %}{{ x|sum(start=card) }}{{ x is sameas card }}{{ x[card] }}{% endmacro %}", set()),
        ("{% macro a() %}{{ self }}{% endmacro %}", set()),
        ("{% macro caller() %}{% endmacro %}{% macro a() %}{{ caller() }}{% endmacro %}", {"caller"}),
    ],
)
def test_which_macros_look_at_their_arguments_only(tmp_path: Path, text: str, found: set[str]) -> None:
    assert noted(tmp_path, text).pure_macros == found


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("{{ a.b }}{% for c in d %}{{ c ~ e }}{% endfor %}", {"a", "d", "e"}),
        ("{% macro m(x, y=z) %}{{ x }}{{ w }}{% endmacro %}", {"w", "z"}),
        ("{% set a = 1 %}{{ a }}{{ range }}", {"range"}),
        ("{% for x in [1] %}{% set a = a %}{% endfor %}", {"a"}),
        ("{% block b %}{{ card }}{% endblock %}", {"card"}),
        ("{% set n.x = 1 %}", {"n"}),
        ("card", set()),
    ],
)
def test_the_names_that_are_looked_up(tmp_path: Path, text: str, names: set[str]) -> None:
    assert noted(tmp_path, text).names == names


def test_the_templates_that_are_named(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text("", encoding="utf-8")
    text = "{% import 'a' as x %}{% include 'b' %}{% if 0 %}{% include y %}{% endif %}"
    assert noted(tmp_path, text).referenced_templates == ("a", "b", None)


@each_case(
    ("text", "lends"),
    [
        ("{# a #}\n{% macro m() %}{{ card.name }}{% endmacro %}\n", True),
        ("{% macro m() %}{{ caller() }}{% endmacro %}", True),
        ("{% set A = 0.26 %}{% macro m() %}{{ A }}{% endmacro %}", True),
        ("{% set a = card.name %}{% macro m() %}{{ a }}{% endmacro %}", False),
        ("{% set n.x = 1 %}{% macro m() %}{% endmacro %}", False),
        ("{% macro m() %}{% endmacro %}{{ card.name }}", False),
        ("{% set n = namespace(x=0) %}{% macro m() %}{% set n.x = n.x + 1 %}{{ n.x }}{% endmacro %}", False),
        ("{% macro m() %}{% include 'a' %}{% endmacro %}", False),
        ("{% macro m() %}{% autoescape false %}{% endautoescape %}{% endmacro %}", False),
        ("{% if 1 %}{% macro m() %}{% endmacro %}{% endif %}", False),
    ],
)
def test_what_lends_macros_and_nothing_else(tmp_path: Path, text: str, lends: bool) -> None:
    assert noted(tmp_path, text).only_macros == lends


@each_case("how", ["{% import 'p.svg.j2' as p with context %}{{ p.m() }}",
                                 "{% from 'p.svg.j2' import m with context %}{{ m() }}"])  # fmt: skip
@each_case(
    ("lent", "expected"),
    [
        ("{% macro m() %}{{ word }}{% endmacro %}", ["a", "b", "b"]),
        ("{% macro m() %}{% for n in [1] %}{{ word }}{% endfor %}{% endmacro %}", ["a", "b", "b"]),
        ("{% macro m(x=word) %}{{ x }}{% endmacro %}", ["a", "b", "b"]),
        ("{% macro m() %}{{ inner() }}{% endmacro %}{% macro inner() %}{{ word }}{% endmacro %}", ["a", "b", "b"]),
        ("{% macro m() %}{{ mine }}{% endmacro %}", ["a!", "b!", "b!"]),
        ("{% macro m() %}{{ changed.x }}{% set changed.x = 2 %}{{ changed.x }}{% endmacro %}", ["12", "12", "12"]),
        ("{% set n = namespace(x=1) %}{% macro m() %}{{ n.x }}{% set n.x = n.x + 1 %}{% endmacro %}", ["1", "1", "1"]),
    ],
)
def test_lent_macros_see_each_card(tmp_path: Path, how: str, lent: str, expected: list[str]) -> None:
    (tmp_path / "p.svg.j2").write_text(lent, encoding="utf-8")
    text = "{% set mine = word ~ '!' %}{% set changed = namespace(x=1) %}" + how
    (tmp_path / "t.svg.j2").write_text(text, encoding="utf-8")
    templates = Templates([tmp_path])
    assert [templates.render("t", {"word": word}).svg for word in ("a", "b", "b")] == expected
