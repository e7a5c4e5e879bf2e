from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel

from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.face.templates import Templates


class Thing(BaseModel):
    name: str
    motto: str | None = None


def rendered(folder: Path, text: str, **context: object) -> str:
    (folder / "t.svg.j2").write_text(text, encoding="utf-8")
    return Templates([folder]).render("t", context).svg


def fault(folder: Path, text: str, **context: object) -> Diagnostic:
    with pytest.raises(CardgenError) as caught:
        rendered(folder, text, **context)
    return caught.value.diagnostics[0]


def test_values_are_escaped_and_nothing_prints_as_nothing(tmp_path: Path) -> None:
    assert rendered(tmp_path, "{{ a.name }}|{{ a.motto }}", a=Thing(name="<b> & c")) == "&lt;b&gt; &amp; c|"


def test_an_earlier_folder_wins(tmp_path: Path) -> None:
    for name in ("mine", "built-in"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "t.svg.j2").write_text(name, encoding="utf-8")
    templates = Templates([tmp_path / "mine", tmp_path / "built-in"])
    assert templates.render("t", {}).svg == "mine"
    assert templates.has("t")
    assert not templates.has("u")


def test_templates_of_a_game_are_listed(tmp_path: Path) -> None:
    (tmp_path / "chess").mkdir()
    for name in ("pawn", "pawn.back"):
        (tmp_path / "chess" / f"{name}.svg.j2").touch()
    assert Templates([tmp_path]).names("chess") == ("chess/pawn", "chess/pawn.back")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a\n{{ missing }}", 2, "'missing' is undefined"),
        ("a\n\n{{ a.nmae }}", 3, "nmae"),
        ("a\n{% for x in %}", 2, "rendered"),
        ("{{ 1 / 0 }}", 1, "ZeroDivisionError"),
        ("{% include 'other.svg.j2' %}", 1, "other.svg.j2"),
    ],
)
def test_faults_are_found_in_the_template(tmp_path: Path, text: str, line: int, message: str) -> None:
    found = fault(tmp_path, text, a=Thing(name="x"))
    assert found.place.file == str(tmp_path / "t.svg.j2")
    assert found.place.span is not None
    assert found.place.span.line == line
    assert message in found.message


def test_a_fault_in_an_included_template_is_found_there(tmp_path: Path) -> None:
    (tmp_path / "inner.svg.j2").write_text("\n\n{{ gone }}", encoding="utf-8")
    found = fault(tmp_path, "{% include 'inner.svg.j2' %}")
    assert found.place.file.endswith("inner.svg.j2")
    assert found.place.span is not None
    assert found.place.span.line == 3


@pytest.mark.parametrize(
    "text",
    [
        "{{ ''.__class__.__mro__ }}",
        "{{ a.model_construct }}",
        "{{ a.parse_file('/etc/passwd') }}",
        "{{ a.__init__.__globals__ }}",
        "{{ self.__init__ }}",
        "{{ '{0.__class__}'.format(a) }}",
        "{{ 'x' * 10**9 }}",
        "{{ [1] * 10**7 }}",
        "{{ 9 ** 99 ** 9 }}",
        "{{ 10**12 * 10**12 * 10**12 }}",
        "{{ '%999999999d' % 1 }}",
        "{{ 'x'.center(10**9) }}",
        "{{ 'x'|center(10**9) }}",
        "{{ lipsum(9999) }}",
        "{{ range(10**9)|list }}",
        "{% include '../secret.svg.j2' %}",
        "{% include '/etc/passwd' %}",
    ],
)
def test_a_template_cannot_get_out_or_grow_without_bound(tmp_path: Path, text: str) -> None:
    (tmp_path / "secret.svg.j2").write_text("secret", encoding="utf-8")
    inside = tmp_path / "templates"
    inside.mkdir()
    assert fault(inside, text, a=Thing(name="x")).code == "CG511"


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.svg.j2").write_text("secret", encoding="utf-8")
    inside = tmp_path / "templates"
    inside.mkdir()
    (inside / "t.svg.j2").symlink_to(tmp_path / "secret.svg.j2")
    assert not Templates([inside]).has("t")


# The end may come within a callback of the garbage collector, which swallows it and warns; it comes again then.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    "text",
    [
        "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
        "{% macro f() %}{{ f() }}{{ f() }}{% endmacro %}{{ f() }}",
        "{% macro f(s) %}{{ f(s ~ s) }}{% endmacro %}{{ f('abcdefgh') }}",
        "{% macro f(s) %}{{ f(s + s) }}{% endmacro %}{{ f('abcdefgh') }}",
        "{% macro f(s) %}{{ f(s|replace('a', 'aaaaaaaaaa')) }}{% endmacro %}{{ f('a') }}",
        "{% set a = [1] * 90000 %}{{ a|join('x' * 90000) }}",
        "{% set a = 'x' * 90000 %}{% for i in range(99999) %}{{ a }}{% endfor %}",
        "{% set a = 'x' * 90000 %}{% macro m() %}{% for i in range(99999) %}{{ a }}{% endfor %}{% endmacro %}{{ m() }}",
        "{% include 't.svg.j2' %}",
        "{% extends 't.svg.j2' %}",
        "{% set ns = namespace(s='xx') %}{% for i in range(99) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
        "{{ 'a'.replace('', 'b' * 90000) }}",
        "{{ 'x'.join(range(99999)|list) }}",
    ],
)
def test_a_template_that_does_not_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("cardgen.face.templates.LONGEST", 0.5)
    assert fault(tmp_path, text).code == "CG511"
