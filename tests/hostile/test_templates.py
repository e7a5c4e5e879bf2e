"""Templates that try to get out, that do not end, or that grow without bound: all the way through a build."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile.conftest import Attack

DOUBLED = "{% set n = namespace(x=[1], y=[1]) %}{% for i in range(60) %}{% set n.x = [n.x, n.x] %}"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("\n{% for x in %}", "a value is missing before '%}'"),
        ("\n{{ card.nmae }}", "nmae"),
        ("\n{{ ''.__class__.__mro__ }}", "not allowed in templates"),
        ("\n{{ describe.__globals__ }}", "not allowed in templates"),
        ("\n{{ ('x'|attr('__class__')) }}", "not allowed in templates|undefined"),
        ("\n{% include '/etc/passwd' %}", "passwd"),
        ("\n{% include '../../../outside/secret.svg.j2' %}", "secret"),
        ("\n{% include 'x' * 5000 %}", "x"),
        ("\n{% if 1e999 %}{% endif %}", "a number is too large"),
        ("\n{% set x = [-1e999] %}{{ x }}", "a number is too large"),
        ("\n{{ 9 ** 99 ** 9 }}", r"too large for \*\*"),
        ("\n{{ 'x' * 10 ** 9 }}", r"result of \* would be too long"),
        ("\n" + DOUBLED + "{% endfor %}{{ n.x }}", "items and characters"),
        ("\n" + DOUBLED + "{% set n.y = (n.y, n.y) %}{% endfor %}{{ n.x == n.y }}", "items and characters"),
        ("\n{% set n = namespace(x={}) %}{% for i in range(60) %}{% set n.x = {1: n.x, 2: n.x} %}{% endfor %}{{ n.x }}",
         "items and characters"),
        ("\n{% set n = namespace(x={}) %}{% for i in range(60) %}{% set n.x = dict(a=n.x, b=n.x) %}{% endfor %}",
         "items and characters"),
        ("\n{% set a = [1] * 1000 %}{% set b = [a] * 1000 %}{% set c = [b] * 1000 %}{{ c|string }}",
         "items and characters"),
        ("\n{% set a = ['x' * 9000] * 9000 %}{{ a|string }}", "items and characters"),
        ("\n{{ ([[1]] * 9999)|sum(start=[]) }}", "only with numbers"),
        ("\n{% set n = namespace(v={'a': 1}) %}{% for i in range(60) %}"
         "{% set n.v = {'a': n.v.values(), 'b': n.v.values()} %}{% endfor %}{{ n.v }}", "items and characters"),
        ("\n{% macro m(n) %}{% if n %}{{ m(n - 1, varargs, varargs) }}{% else %}{{ varargs }}{% endif %}{% endmacro %}"
         "{{ m(40) }}", "items and characters"),
        ("\n{% set n = namespace(v=[1]) %}{% for i in range(60) %}"
         "{% set n.v = [1, 2]|map(attribute='x', default=n.v)|sort %}{% endfor %}{{ n.v }}", "items and characters"),
        ("\n{% macro b() %}{{ caller() }}{% endmacro %}{% macro m(x) %}{% for i in range(9999) %}"
         "{% call b() %}{{ x }}{% endcall %}{% endfor %}{% endmacro %}{{ m('y' * 99000) }}", "a text cannot have more"),
        ("\n{% set x = '{:>2000000000}'.format(1) %}", "not allowed in templates"),
        ("\n{% set x = '{a:>2000000000}'.format_map({'a': 1}) %}", "not allowed in templates"),
        ("\n{{ 'x'.encode().ljust(3000000000) }}", "not allowed in templates"),
        ("\n{{ (1).to_bytes(3000000000, 'big') }}", "not allowed in templates"),
        ("\n{{ 1|round(-999999999) }}", "places"),
        ("\n{{ icon('../../outside/secret', 5, 5, 5) }}", "unknown icon"),
        ("\n{{ icon('a' * 5000, 5, 5, 5) }}", "unknown icon"),
        ("\n{{ emblem(card.id, 'a', [], {}) }}", "'/' does not work with a map and a number"),
    ],
    ids=lambda value: value[1:40],
)  # fmt: skip
def test_what_a_template_may_not_do_is_said_at_its_line(
    attack: Attack, outside: Path, body: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardgen.sandbox.limits._MAX_WEIGHT", 100_000)  # A tenth, which is reached sooner.
    attack.folder.write("icons/own.svg", (outside / "secret.svg").read_bytes())
    attack.front(body).fails(rf"templates/warniris/minion\.svg\.j2:3:\d+: error\[CG511\]: .*({message})")


@pytest.mark.parametrize(
    "body",
    [
        "{% for a in [1] %}" * 30 + "{% endfor %}" * 30,
        "{% if 1 %}" * 3000 + "{% endif %}" * 3000,
        "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
        "{{ " + "not " * 50_000 + "1 }}",
        "{{ " + "[" * 5000 + "]" * 5000 + " }}",
        "{{ a" + ".b" * 5000 + " }}",
        "{{ " + "1" * 5000 + " }}",
        "{% include 'warniris/minion.svg.j2' %}",
        "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
    ],
    ids=lambda value: value[:16],
)
def test_a_template_that_is_nested_too_deeply(attack: Attack, body: str) -> None:
    attack.front(body).fails(
        r"minion\.svg\.j2:\d+:\d+: error\[CG511\]: .*(nested too deeply|infinite recursion|digits)"
    )


def test_a_template_that_does_not_end_is_ended(attack: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgen.face.template.engine.TIME_LIMIT", 0.2)
    monkeypatch.setattr("cardgen.face.template.report._TIME_LIMIT", 0.2)
    loop = "\n\n{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
    attack.front(loop).fails(r"minion\.svg\.j2:4:1: error\[CG511\]: .* took longer than 0\.2 seconds")


@pytest.mark.parametrize("included", [False, True])
def test_a_template_that_is_not_utf8(attack: Attack, included: bool) -> None:
    name = "part" if included else "minion"
    attack.front('{% include "warniris/part.svg.j2" %}')
    attack.folder.write(f"templates/warniris/{name}.svg.j2", b"<svg>\n\n\xe4</svg>")
    attack.fails(rf"{name}\.svg\.j2:3:\d+: error\[CG511\]: .*byte 8, 0xE4, is not valid UTF-8")


def test_a_template_that_is_too_large(attack: Attack) -> None:
    attack.front("x" * (1 << 20)).fails(r"minion\.svg\.j2:1:\d+: error\[CG511\]: .*larger than 1,024 KiB")


def test_half_a_character_is_said(attack: Attack) -> None:
    attack.front('{{ "\\ud800" }}').fails(r"minion\.svg\.j2: error\[CG512\]: U\+D800 is a surrogate")


@pytest.mark.parametrize("field", ["weapons/²", "weapons/" + "9" * 5000, "////", "0/0/0", "text/-1"])
def test_a_field_that_no_card_has(attack: Attack, field: str) -> None:
    box = f'<cg:text x="0" y="0" width="9" height="9" field="{field}">{"word " * 50}</cg:text>'
    attack.front(box).fails(r"cards/a\.yaml:\d+:\d+: error\[CG501\]")
