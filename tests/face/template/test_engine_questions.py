"""What a template looks at decides how often it is rendered."""

from __future__ import annotations

from pathlib import Path

from cardgen.face.template.engine import Templates
from tests.cases import each_case


def templates(folder: Path, **files: str) -> Templates:
    for name, text in files.items():
        path = folder / "game" / f"{name}.svg.j2"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Templates([folder])


@each_case(
    ("text", "asks"),
    [
        ("<svg>{{ card.name }}</svg>", True),
        ("<svg>{{ width }}</svg>", False),
        ("{% if card.art %}x{% endif %}", True),
        ("{% for card in [1] %}{{ card }}{% endfor %}", False),
        ("{% macro m(card) %}{{ card }}{% endmacro %}{{ m(1) }}", False),
        ('{% include "game/plain.svg.j2" %}', False),
        ('{% include "game/asking.svg.j2" %}', True),
        ('{% import "game/asking.svg.j2" as parts with context %}{{ parts.name() }}', True),
        ('{% include "game/through.svg.j2" %}', True),
        ('{% include "game/circle.svg.j2" %}', False),
        ('{% include "game/nowhere.svg.j2" %}', True),
        ('{% include "game/" ~ kind ~ ".svg.j2" %}', True),
        ("{% if %}", True),
    ],
)
def test_a_template_asks_for_what_it_or_those_below_it_look_at(tmp_path: Path, text: str, asks: bool) -> None:
    found = templates(
        tmp_path,
        main=text,
        plain="{{ width }}",
        asking="{% macro name() %}{{ card.name }}{% endmacro %}",
        through='{% include "game/asking.svg.j2" %}',
        circle='{% include "game/circle.svg.j2" %}',
    )
    assert found.depends_on("game/main", "card") is asks


def test_templates_that_include_each_other_ask_for_the_same(tmp_path: Path) -> None:
    one, other = '{% include "game/other.svg.j2" %}{{ card }}', '{% include "game/one.svg.j2" %}{{ width }}'
    found = templates(tmp_path, one=one, other=other)
    assert [found.depends_on(f"game/{name}", word) for name in ("one", "other") for word in ("card", "width")] == [
        True
    ] * 4
    assert not found.depends_on("game/one", "height")
