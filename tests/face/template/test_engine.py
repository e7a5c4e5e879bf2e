from __future__ import annotations

import tracemalloc
from html import unescape
from pathlib import Path

import pytest
from jinja2 import FileSystemLoader
from pydantic import BaseModel

from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.face.template.engine import Templates
from cardgen.project.files import built_in_folder
from cardgen.sandbox.environment import Sandbox
from tests.cases import each_case


class Thing(BaseModel):
    name: str
    motto: str | None = None


class Telling(Thing):
    _secret: str = "s"

    @property
    def loud(self) -> str:
        return self.name.upper()

    def say(self) -> str:
        return self.name


class Saying(BaseModel):
    say: str


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
        ("a\n{{ missing }}", 2, "unknown name 'missing'"),
        ("a\n\n{{ a.nmae }}", 3, "nmae"),
        ("a\n{% for x in %}", 2, "a value is missing before '%}'"),
        ("{{ 1 / 0 }}", 1, "division by zero"),
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


@each_case(
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


@pytest.mark.parametrize("text", ["", "\n", "a", "a\n", "a\r\n\n", "<style>{}</style> {x} % # }} %} <&>\n", "a\rb"])
def test_a_drawing_is_included_as_a_template_would_be(tmp_path: Path, text: str) -> None:
    (tmp_path / "drawing.svg").write_bytes(text.encode())
    (tmp_path / "template.svg").write_bytes(b"{# #}" + text.encode())
    assert rendered(tmp_path, "{% include 'drawing.svg' %}") == rendered(tmp_path, "{% include 'template.svg' %}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{ {'a': 1}.a }}|{{ {'items': 1}['items'] }}|{{ {'items': 1}.items is callable }}", "1|1|True"),
        ("{{ a.name }}{{ a['name'] }}{{ a.name }}", "<>" * 3),
        ("{{ 1.5 + 2 }} {{ 2 * 3 }} {{ 'a' + 'b' }} {{ [1] + [2] }} {{ '<' ~ none ~ 1 }}", "3.5 6 ab [1, 2] <None1"),
        ("{{ true }} {{ 2 ** 3 }} {{ 7 % 4 }} {{ -1 * 2.0 }}", "True 8 3 -2.0"),
    ],
)
def test_short_ways_lead_where_the_long_ones_do(tmp_path: Path, text: str, expected: str) -> None:
    assert unescape(rendered(tmp_path, text, a=Thing(name="<>"))) == expected


@each_case("way", ["a.{}", "a['{}']", "a|attr('{}')", "{{'x': a}}.x.{}"])
@each_case("name", ["model_json_schema", "model_copy", "__class__", "__dict__", "_secret", "say"])
def test_of_a_model_only_fields_and_properties_are_seen(tmp_path: Path, way: str, name: str) -> None:
    text = "{{ a.name }}{{ a.loud }}{{ " + way.format(name) + " }}"
    assert fault(tmp_path, text, a=Telling(name="x")).code == "CG511"


def test_what_is_seen_of_one_kind_is_not_of_another(tmp_path: Path) -> None:
    text = "{% for each in all %}{{ each.say is defined and each.say is not callable }} {% endfor %}"
    assert rendered(tmp_path, text, all=[Telling(name="x"), Saying(say="y"), Telling(name="z")]) == "False True False "


def test_what_a_macro_gathers_is_measured_on_the_way(tmp_path: Path) -> None:
    text = "{% macro m() %}{% for i in range(99999) %}{{ 'x' * 90000 ~ i }}{% endfor %}{% endmacro %}{{ m() }}"
    tracemalloc.start()
    try:
        assert "a text cannot have more than" in fault(tmp_path, text).message
        assert tracemalloc.get_traced_memory()[1] < 200_000_000
    finally:
        tracemalloc.stop()
    loop = "{% macro m() %}{% for i in range(9999) %}{{ i }}{% if i %},{% endif %}{% endfor %}{% endmacro %}{{ m() }}"
    assert rendered(tmp_path, loop) == "0" + "".join(f"{i}," for i in range(1, 9999))


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.svg.j2").write_text("secret", encoding="utf-8")
    inside = tmp_path / "templates"
    inside.mkdir()
    (inside / "t.svg.j2").symlink_to(tmp_path / "secret.svg.j2")
    with pytest.raises(CardgenError, match=r"t\.svg\.j2: error\[CG023\]: the link points outside the project"):
        Templates([inside]).has("t")


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
    monkeypatch.setattr("cardgen.face.template.engine.TIME_LIMIT", 0.5)
    assert fault(tmp_path, text).code == "CG511"


@pytest.mark.parametrize("game", ["diskwars", "skirmish", "warcry", "warniris"])
def test_the_parts_of_a_game_are_loaded_once_for_all_cards(game: str) -> None:
    sandbox = Sandbox(FileSystemLoader(built_in_folder("templates")))
    assert sandbox.dependencies(f"{game}/parts.svg.j2").only_macros
