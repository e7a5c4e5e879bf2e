"""Macros are worked out once for the same arguments, and only where nobody can tell the difference."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.face.template.engine import Templates
from cardgen.sandbox.compiler import MacroCache
from cardgen.sandbox.environment import Sandbox


def shown(folder: Path, text: str, **context: object) -> str:
    (folder / "t.svg.j2").write_text(text, encoding="utf-8")
    return Templates([folder]).render("t", context).svg


TELL = "{% macro tell(x) %}[{{ x }}]{% endmacro %}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TELL + "{{ tell(1) }}{{ tell(1.0) }}{{ tell(true) }}{{ tell('1') }}", "[1][1.0][True][1]"),
        (TELL + "{{ tell(0.0) }}{{ tell(-0.0) }}{{ tell(0) }}{{ tell(x=-0.0) }}", "[0.0][-0.0][0][-0.0]"),
        (TELL + "{{ tell('<') }}{{ tell('<'|safe) }}{{ tell('<') }}", "[&lt;][<][&lt;]"),
        (
            TELL + "{% autoescape false %}{% set a = tell('b') %}{{ a ~ '' }}{% endautoescape %}{{ tell('b') }}",
            "[b][b]",
        ),
        (
            TELL + "{{ tell({'a': 'b'}) }}{{ tell({'a': 'c'}) }}",
            "[{&#39;a&#39;: &#39;b&#39;}][{&#39;a&#39;: &#39;c&#39;}]",
        ),
        (
            "{% macro m(a, b=2) %}{{ a }}-{{ b }}{% endmacro %}{{ m(1) }} {{ m(1, b=3) }} {{ m(b=1, a=3) }}",
            "1-2 1-3 3-1",
        ),
        (
            "{% set n = namespace(x=1) %}{% macro m(n) %}{{ n.x }}{% endmacro %}{{ m(n) }}{% set n.x = 2 %}{{ m(n) }}",
            "12",
        ),
        ("{% macro m() %}{{ word }}{% endmacro %}{{ m() }}", "w"),
    ],
)
def test_what_is_remembered_is_what_would_be_said(tmp_path: Path, text: str, expected: str) -> None:
    assert shown(tmp_path, text, word="w") == expected


def test_a_name_of_a_global_that_stands_for_something_else_is_heeded(tmp_path: Path) -> None:
    (tmp_path / "parts.svg.j2").write_text("{% macro m() %}{{ range }}{% endmacro %}", encoding="utf-8")
    text = "{% set range = word %}{% import 'parts.svg.j2' as parts with context %}{{ parts.m() }}"
    (tmp_path / "t.svg.j2").write_text(text, encoding="utf-8")
    templates = Templates([tmp_path])
    assert [templates.render("t", {"word": word}).svg for word in ("one", "two")] == ["one", "two"]


def test_a_macro_that_has_the_name_of_a_global_is_heeded(tmp_path: Path) -> None:
    text = "{% macro mix(a) %}{{ word }}{% endmacro %}{% macro tell() %}{{ mix(1) }}{% endmacro %}{{ tell() }}"
    (tmp_path / "t.svg.j2").write_text(text, encoding="utf-8")
    templates = Templates([tmp_path])
    assert [templates.render("t", {"word": word}).svg for word in ("one", "two")] == ["one", "two"]


def test_what_is_remembered_is_bounded_with_its_arguments() -> None:
    results = MacroCache()
    keys = [results.key(("macro",), (f"{number}" * 90_000,), {}) for number in range(30)]
    for key in keys:
        assert key
        results.store(key, "")
    found = [texts.get(arguments) for texts, arguments in filter(None, keys)]
    assert (found[0], found[-1]) == (None, "")


def test_what_is_remembered_of_types_is_bounded() -> None:
    results = MacroCache()
    for number in range(50_000):
        results.key((f"macro {number}",), ([],), {})
    assert len(results._kinds) < 45_000


def test_zeros_keep_their_signs_among_texts_and_dictionaries(tmp_path: Path) -> None:
    text = "{% macro tell(x, y, z) %}[{{ x }} {{ y }} {{ z.a }}]{% endmacro %}{% set d = {'a': 'b'} %}"
    text += "{{ tell(0.0, 'a', d) }}{{ tell(-0.0, 'a', d) }}{{ tell(0.0, 'a', d) }}"
    assert shown(tmp_path, text) == "[0.0 a b][-0.0 a b][0.0 a b]"


def test_a_macro_is_called_once_for_the_same_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    real = Sandbox.concatenate

    def counted(parts: tuple[object, ...]) -> str:
        made.append(str(parts))
        return real(parts)

    monkeypatch.setattr(Sandbox, "concatenate", staticmethod(counted))
    text = "{% macro m(x) %}{{ x ~ '!' }}{% endmacro %}{{ m('a') }}{{ m('a') }}{{ m('b') }}"
    assert shown(tmp_path, text) == "a!a!b!"
    assert len(made) == 2
