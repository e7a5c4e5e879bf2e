"""Help and completions in templates."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardgen.editor.completion import Completion
from cardgen.editor.hover import Hover
from cardgen.editor.template_help import NAMES, template_completions, template_hover
from tests.cases import each_case
from tests.editor.harness import Editor
from tests.game_file.games import write_game

MINION = "templates/warniris/minion.svg.j2"
DOCS = Path(__file__).parents[2] / "docs" / "templates.md"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Editor:
    return Editor(tmp_path_factory.mktemp("project"), {})


def hover(editor: Editor, name: str, marked: str) -> Hover | None:
    offset, text = marked.index("|^"), marked.replace("|^", "")
    return editor.session.ask(lambda loaded: template_hover(loaded, editor.path(name), text, offset))


def complete(editor: Editor, name: str, marked: str) -> list[Completion]:
    offset, text = marked.index("|^"), marked.replace("|^", "")
    return editor.session.ask(lambda loaded: list(template_completions(loaded, editor.path(name), text, offset)))


LOOP = "{% for weapon in card.weapons | sort(attribute='name') %}{{ weapon.dam|^age }}{% endfor %}"
HOVERS = {
    "a variable": ("{{ wid|^th }}", "in mm"),
    "the card": ("<svg>{{ ca|^rd.name }}", "keys of its file"),
    "a field": ("{{ card.sta|^ts.mind }}", "a part with fields"),
    "a field of a part": ("{{ card.stats.mi|^nd }}", "a number"),
    "a field with help": ("{{ card.mot|^to }}", "a separate line"),
    "an item of a list": ("{{ card.weapons[0].dam|^age }}", "a number"),
    "a name of a loop": (LOOP, "a number"),
    "a name that is set": ("{% set stats = card.stats %}\n{{ stats.bo|^dy }}", "a number"),
    "a function": ("{{ descr|^ibe(card) }}", "made from its effects"),
    "a function of the game": ("{{ passa|^ges(card) }}", ""),
    "a filter": ("{{ card.name | upp|^er }}", "uppercase"),
    "a statement": ("{% if card.mot|^to %}", "a separate line"),
}


@each_case(("text", "part"), HOVERS.values(), ids=HOVERS)
def test_help_for_a_word(project: Editor, text: str, part: str) -> None:
    found = hover(project, MINION, text)
    if not part:
        assert found is None
    else:
        assert found
        assert part in found.markdown


def test_help_says_which_characters_it_is_about(project: Editor) -> None:
    found = hover(project, MINION, "<svg>\n  {{ card.stats.mi|^nd }}")
    assert found
    assert found.span == (2, 17, 2, 21)


@pytest.mark.parametrize(
    "text",
    [
        "<svg wid|^th='3'>",
        "{{ 'card.na|^me' }}",
        "{{ card.nam|^ee }}",
        "{{ nothi|^ng }}",
        "{{ card.name }} ca|^rd",
        "|^",
    ],
)
def test_there_may_be_no_help(project: Editor, text: str) -> None:
    assert hover(project, MINION, text) is None


COMPLETIONS = {
    "names": ("{{ wi|^", {"width"}),
    "fields": ("{{ card.mot|^", {"motto"}),
    "fields of a part": ("<svg>\n{{ card.stats.mo|^ }}", {"movement"}),
    "fields of an item": ("{% for weapon in card.weapons %}{{ weapon.pen|^", {"penetration"}),
    "a local name": ("{% set lantern = 3 %}{{ lan|^", {"lantern"}),
    "filters": ("{{ card.name | uppe|^", {"upper"}),
    "nothing outside": ("<svg>wi|^", set()),
}


@pytest.mark.parametrize(("text", "labels"), COMPLETIONS.values(), ids=COMPLETIONS)
def test_completions_of_a_template(project: Editor, text: str, labels: set[str]) -> None:
    assert {each.label for each in complete(project, MINION, text)} == labels


def test_templates_of_a_game_that_is_a_file(tmp_path: Path) -> None:
    editor = Editor(write_game(tmp_path), {"cardgen.yaml": "game: ember\n"})
    found = hover(editor, "games/ember/templates/brave.svg.j2", "{{ card.he|^at }}")
    assert found
    assert "a number" in found.markdown
    assert {each.label for each in complete(editor, "templates/ember/brave.svg.j2", "{{ numb|^")} == {"numbers"}


def test_every_name_in_the_documentation_has_help() -> None:
    table = DOCS.read_text(encoding="utf-8").partition("## Variables and functions")[2].partition("\n\nTemplates of")[0]
    rows = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
    assert set(re.findall(r"`(\w+)", " ".join(rows))) == set(NAMES)


def test_a_large_hostile_template_is_answered_at_once(project: Editor) -> None:
    text = "{% for a in a.a %}{% set a = a[a] %}{{ a|a." * 20_000 + "{{ a.b|^"
    assert hover(project, MINION, text) is None
