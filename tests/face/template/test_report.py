"""Typical mistakes in templates, with what is said about them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, ClassVar, Literal

import pytest
from pydantic import Field

from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.model.card import Card
from cardgen.validation.base import Int, Model, Text
from tests.face import rendering
from tests.face.rendering import SIZE, Desk, svg


class Sword(Model):
    SYNONYMS: ClassVar[dict[str, tuple[str, ...]]] = {"damage": ("D",)}

    name: Text
    damage: Int = 1


class Knight(Card):
    KIND: ClassVar[str] = "pawn"

    lines: tuple[Text, ...] = ()
    swords: tuple[Sword, ...] = (Sword(name="Edge"),)
    best: Annotated[Sword, Field(description="the best")] = Sword(name="Best")
    strength: Int = 2
    rank: Literal["squire", "lord"] | None = "lord"

    @property
    def total(self) -> int:
        return self.strength + 1


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setattr(rendering, "Pawn", Knight)
    return Desk(tmp_path)


def mistakes(desk: Desk, body: str) -> list[Diagnostic]:
    """The mistakes of a template whose first line is the root's tag."""
    desk.template("pawn.svg.j2", svg(f"\n{body}\n"))
    with pytest.raises(CardgenError) as caught:
        desk.studio().front(desk.entry("kind: pawn\nname: Tom\nlines: [one, two]\n"), SIZE)
    return list(caught.value.diagnostics)


def said(desk: Desk, body: str) -> list[str]:
    return [f"{each.place.span.line if each.place.span else 0}: {each.message}" for each in mistakes(desk, body)]


BOX = 'x="1" y="2" width="30" height="9"'
# A template, and the beginnings of all messages, each with its line; the root's tag is line 1.
MISTAKES: dict[str, tuple[str, list[str]]] = {
    "field": ("{{ card.nmae }}", ["2: unknown pawn field 'nmae'; did you mean 'name'?"]),
    "fields": (
        "{{ card.nmae }}\n{{ card.strenght }}",
        ["2: unknown pawn field 'nmae'; did you mean 'name'?", "3: unknown pawn field 'strenght'; did you mean"],
    ),
    "field unlike any": (
        "{{ card.xyz }}",
        ["2: unknown pawn field 'xyz'; it has lines, swords, best, strength, rank, name, id, qty, formerly, draft, …"],
    ),
    "nested field": ("{{ card.best.dmage }}", ["2: unknown sword field 'dmage'; did you mean 'damage'?"]),
    "spelling of card files": ("{{ card.best.D }}", ["2: unknown sword field 'D'; did you mean 'damage'?"]),
    "field in a loop": (
        "{% for sword in card.swords %}\n{{ sword.nam }}\n{% endfor %}",
        ["3: unknown sword field 'nam'; did you mean 'name'?"],
    ),
    "field in brackets": ("{{ card['nmae'] }}", ["2: unknown pawn field 'nmae'; did you mean 'name'?"]),
    "field of a variable": ("{% set s = card.best %}\n{{ s.nam }}", ["3: unknown sword field 'nam'; did you"]),
    "field of a list": ("{{ card.swords.name }}", ["2: a list has no field 'name'; loop over it"]),
    "field of a number": ("{{ card.strength.mind }}", ["2: unknown field 'mind' of a number"]),
    "field in a branch that is not taken": (
        "{% if card.motto %}{{ card.mtto }}{% endif %}{{ x }}",
        ["2: unknown name 'x'", "2: unknown pawn field 'mtto'; did you mean 'motto'?"],
    ),
    "name": ("{{ cadr.name }}", ["2: unknown name 'cadr'; did you mean 'card'?"]),
    "name of a field": ("{{ strength }}", ["2: unknown name 'strength'; did you mean 'card.strength'?"]),
    "name in a test": ("{% if heigth > 3 %}{% endif %}", ["2: unknown name 'heigth'; did you mean 'height'?"]),
    "filter": ("{{ card.name|uper }}", ["2: unknown filter 'uper'; did you mean 'upper'?"]),
    "two filters": (
        "{{ card.name|uper }}\n{{ card.name|lowr }}",
        ["2: unknown filter 'uper'; did you mean 'upper'?", "3: unknown filter 'lowr'; did you mean 'lower'?"],
    ),
    "filter without an argument": ("{{ card.name|replace('a') }}", ["2: filter 'replace' needs the argument 'new'"]),
    "argument of a filter": ("{{ 2.5|round(precison=1) }}", ["2: filter 'round' has no argument 'precison'; did you"]),
    "choice": (
        "{% if card.rank == 'lrod' or card.rank in ('lord', 'knight') %}{% endif %}\n{{ x }}",
        ["2: 'rank' cannot be 'lrod'; did you mean 'lord'?", "2: 'rank' cannot be 'knight'", "3: unknown name 'x'"],
    ),
    "test": ("{% if card.strength is evn %}{% endif %}", ["2: unknown test 'evn'; did you mean 'even'?"]),
    "icon": ("{{ icon('skul', 1, 2, 3, '#000000') }}", ["2: unknown icon 'skul'; did you mean 'skull'?"]),
    "argument left out": ("{{ icon('skull', 1, 2) }}", ["2: function 'icon' needs the argument 'size'"]),
    "argument too many": ("{{ emblem(card.id, 1, 2, 3, 'key', 5) }}", ["2: function 'emblem' takes at most 5 arguments, not 6"]),  # noqa: E501
    "macro": ("{% macro frame(a) %}{% endmacro %}{{ farme(1) }}", ["2: unknown name 'farme'; did you mean 'frame'?"]),
    "argument of a macro": (
        "{% macro frame(width) %}{% endmacro %}\n{{ frame(widht=1) }}",
        ["3: macro 'frame' has no argument 'widht'; did you mean 'width'?"],
    ),
    "arguments of a macro": (
        "{% macro frame(a) %}{% endmacro %}\n{{ frame(1, 2) }}",
        ["3: macro 'frame' takes at most 1 argument, not 2"],
    ),
    "macro of another file": (
        "{% from 'chess/lib.svg.j2' import fram %}{{ fram() }}",
        ["2: unknown macro 'fram'; did you mean 'frame'?"],
    ),
    "file": ("{% include 'chess/lb.svg.j2' %}", ["2: unknown template 'chess/lb.svg.j2'; did you mean 'chess/lib."]),
    "color of the theme": ("{{ theme.colours.inkk }}", ["2: unknown color 'inkk'; did you mean 'ink'?"]),
    "part of the theme": ("{{ theme.colors.ink }}", ["2: unknown key 'colors'; did you mean 'colours'?"]),
    "sum of text and number": ("{{ card.name + 3 }}", ["2: '+' does not work with text and a number; join texts with ~"]),  # noqa: E501
    "comparison": ("{% if card.name > 3 %}{% endif %}", ["2: text cannot be compared with a number"]),
    "loop over a number": ("{% for a in card.strength %}{% endfor %}", ["2: a number cannot be looped over"]),
    "call of a value": ("{{ card.name() }}", ["2: text cannot be called; remove the parentheses"]),
    "division by zero": ("{{ 3 / (card.strength - 2) }}", ["2: division by zero"]),
    "brace": ("{{ card.name }\n{{ card.nmae }}", ["2: unexpected '}'; a value ends", "3: unknown pawn field 'nmae'"]),
    "tag": ("{% fi card.name %}", ["2: unknown tag 'fi'; did you mean 'if'?"]),
    "tags that are not closed": ("{% if card.name %}", ["3: {% if %} without {% endif %}"]),
    "tags that do not match": ("{% if card.name %}\n{% endfor %}", ["3: {% endfor %} does not match {% if %}"]),
    "end without a beginning": ("{% endif %}", ["2: {% endif %} without {% if %}"]),
    "comparison with one sign": ("{% if card.name = 'a' %}{% endif %}", ["2: unexpected '='; compare with =="]),
    "several syntax mistakes": (
        "{{ card..name }}\n{{ }}\n{% for x y %}{% endfor %}\n{{ card.nmae }}",
        [
            "2: a name is missing after '.'", "3: a value is missing before '}}'", "4: 'in' is missing before 'y'",
            "5: unknown pawn field 'nmae'",
        ],
    ),
    "comment": ("{# never closed", ["2: the comment is not closed; add #}"]),
    "attribute": ('<rect x="1" widht="2"/>', ["2: unknown attribute 'widht' of <rect>; did you mean 'width'?"]),
    "attribute of a box": (
        f'<cg:text {BOX} color="ink">a</cg:text>',
        ["2: unknown attribute 'color' of <cg:text>; did you mean 'fill'?"],
    ),
    "style": (f'<cg:text {BOX} style="titel">a</cg:text>', ["2: unknown style 'titel' in the theme; did you mean"]),
    "color of a box": (f'<cg:text {BOX} fill="inkk">a</cg:text>', ["2: unknown color 'inkk' in the theme; did you mean"]),  # noqa: E501
    "element": ("<retc/>", ["2: <retc> is not supported; did you mean 'rect'?"]),
    "elements and boxes": (
        '<retc/>\n<rect widht="2"/>\n<cg:text x="1"/>\n'
        f'{{% for line in card.lines %}}\n<cg:text {BOX} size="{{{{ loop.index }}}}em">a</cg:text>\n{{% endfor %}}',
        [
            "2: <retc> is not supported", "3: unknown attribute 'widht'",
            "6: '1em' is not a valid length", "6: '2em' is not a valid length",
        ],
    ),
    "well-formedness": ("<g>\n<rect/>", ["4: the SVG is not well-formed: mismatched tag"]),
}  # fmt: skip
# Words that only a programmer knows.
FOREIGN = re.compile(
    r"\bobject\b|NoneType|\bstr\b|\bint\b|Pawn|Knight|Sword|__|Error|jinja|Jinja|Undefined|<class|positional|kwargs|None|dict\b"
)


@pytest.mark.share(3)
@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_said_in_words_of_card_authors_at_its_line(desk: Desk, case: str) -> None:
    desk.template("lib.svg.j2", "{% macro frame() %}{% endmacro %}")
    body, expected = MISTAKES[case]
    messages = said(desk, body)
    assert len(messages) == len(expected), messages
    for message, beginning in zip(sorted(messages), sorted(expected), strict=True):
        assert message.startswith(beginning)
        assert not FOREIGN.search(message)


def test_there_are_many_cases() -> None:
    assert len(MISTAKES) >= 40


def test_a_mistake_in_a_macro_of_another_file_is_found_there(desk: Desk) -> None:
    desk.template("lib.svg.j2", "\n{% macro frame(a) %}\n<rect widht='{{ a }}'/>\n{% endmacro %}")
    (mistake,) = mistakes(desk, "{% from 'chess/lib.svg.j2' import frame %}\n{{ frame(1) }}")
    assert mistake.place.file.endswith("lib.svg.j2")
    assert mistake.place.span is not None
    assert (mistake.place.span.line, mistake.place.source_line) == (3, "<rect widht='{{ a }}'/>")


@pytest.mark.parametrize(
    "body",
    [
        "{% if card.motto is defined %}{{ card.motto }}{% endif %}",
        "{% if nothing is defined %}{{ nothing }}{% endif %}",
        "{{ nothing|default('x') and '' }}",
        "{% if kind == 'queen' %}{{ card.crown }}{% endif %}",
        "{% set total = card.total + 1 %}",
        "{% set texts = card.lines|join(', ') %}",
        "{% for each in card.swords if each.damage %}{% set x = each.name %}{% endfor %}",
    ],
)
def test_what_is_right_is_not_a_mistake(desk: Desk, body: str) -> None:
    messages = said(desk, body + "\n{{ wrong }}")
    assert messages == ["3: unknown name 'wrong'"]


@pytest.mark.parametrize(
    "attack",
    [
        "{{ ''.__class__.__mro__ }}",
        "{{ card.__class__ }}",
        "{{ card.model_fields_set }}",
        "{{ describe.__globals__ }}",
        "{% for i in range(100000000) %}{% endfor %}",
        "{{ nothing.__class__.__init__ }}",
        "{{ 'a' * 100000000 }}",
        "{{ ('{0.__class__}').format(card) }}",
        "{{ '\ue5f099999:1\ue5f1' }}{{ wrong }}",
        "{{ " + "(" * 3000 + ")" * 3000 + " }}",
    ],
)
def test_the_search_for_mistakes_is_as_safe_as_the_template(desk: Desk, attack: str) -> None:
    for message in said(desk, attack):
        assert len(message) < 1000
        assert not re.search(r"object at 0x|<class|<function|mappingproxy", message)


def test_the_field_of_a_box_is_one_of_the_card(desk: Desk) -> None:
    boxes = "".join(f'<cg:text {BOX} field="{name}">x</cg:text>' for name in ("nam", "name", "swords/0", "wax"))
    desk.template("pawn.svg.j2", svg(boxes))
    (found,) = desk.studio().source_mistakes(desk.entry("kind: pawn\nname: Tom\n"), SIZE)
    assert found.message == "unknown pawn field 'nam'; did you mean 'name'?"
