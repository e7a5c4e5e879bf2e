"""Expressions, texts, templates, and layouts read the fields of cards that other cards name."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.deck.deck import load_deck, rules_of
from cardgen.diagnostic import CardgenError
from cardgen.matches.session import TrialRequest, prepare_trial
from cardgen.print.render import CardRenderer
from cardgen.project_checks.run import CheckRequest, check_project
from cardgen.releases.changes import compare
from cardgen.releases.snapshot import take_snapshot
from cardgen.runtime.workspace import Workspace
from tests.game_file.games import HEADER, findings, write_game

KINDS = """
kinds:
  brave:
    fields:
      heat: {type: integer, min: 1, default: 3}
      friend: {type: card, kind: brave, optional: true}
      allies: {type: list, items: {type: card, kind: brave}}
    example: {heat: 3}
"""
CARDS = """\
game: ember
kind: brave
cards:
  - {name: Ash, heat: 2, friend: cinder}
  - {name: Cinder, heat: 6, friend: Ash, allies: [Ash, Oak]}
  - {name: Oak, heat: 4}
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def check(when: str, say: str = "x", more: str = "") -> str:
    return f"checks: {{cold: {{code: EM301, kind: brave, when: \"{when}\", say: '{say}'{more}}}}}\n"


def messages(root: Path, when: str, say: str = "x", cards: str = CARDS) -> list[str]:
    write_game(root, HEADER + KINDS + check(when, say), braves=cards)
    return [line.partition(" EM301 ")[2] or line for line in findings(root)]


@pytest.mark.parametrize(
    ("when", "say", "found"),
    [
        ("friend and friend.heat > 5", "{{ friend }}: {{ friend.heat }}", ["cinder: 6"]),
        ("friend and friend.friend.heat > 5", "{{ friend.friend.name }}", ["Cinder"]),
        ("friend and card.friend.friend.friend.name == 'Cinder'", "{{ name }}", ["Ash"]),
        ("allies and allies.sum(heat) == 6", "{{ allies[1].heat }}", ["4"]),
        ("allies and (allies | first).heat == 2", "{{ allies }}", ["Ash, Oak"]),
        ("friend == 'Ash'", "{{ friend | length }}", ["3"]),
    ],
)
def test_checks_read_the_fields_of_named_cards(tmp_path: Path, when: str, say: str, found: list[str]) -> None:
    assert messages(tmp_path, when, say) == found


def test_a_card_that_does_not_exist_is_reported_once(tmp_path: Path) -> None:
    (only,) = messages(tmp_path, "friend and friend.heat > 5", cards=CARDS.replace("friend: cinder", "friend: cindre"))
    assert "unknown brave 'cindre'; did you mean" in only


@pytest.mark.parametrize(
    ("when", "message"),
    [
        ("friend.haet > 1", "'friend' has no 'haet'; did you mean 'heat'?"),
        ("friend.friend.haet > 1", "'friend.friend' has no 'haet'; did you mean 'heat'?"),
        ("allies.sum(haet) > 1", "unknown name 'haet'; did you mean 'heat'?"),
        ("allies[0].haet > 1", "has no 'haet'; did you mean 'heat'?"),
    ],
)
def test_a_wrong_field_of_a_named_card_is_located(tmp_path: Path, when: str, message: str) -> None:
    write_game(tmp_path, HEADER + KINDS + check(when), braves=CARDS)
    found = check_project(CheckRequest((Path("games/ember"),))).findings
    assert any(message in each.diagnostic.message for each in found), found


def test_examples_name_the_example_of_the_kind(tmp_path: Path) -> None:
    examples = ", wrong: {heat: 1, friend: Someone}, right: {heat: 5, friend: Someone}"
    write_game(tmp_path, HEADER + KINDS + check("friend and friend.heat > heat", more=examples))
    (unread,) = check_project(CheckRequest((Path("games/ember"),))).findings
    assert unread.diagnostic.message == "nothing reads the field 'allies' of a brave"


TRIAL = """
trials:
  warm:
    asks: {brave: {type: card, kind: brave}}
    steps:
      - when: brave.friend
        set: {most: brave.friend.heat, same: brave.friend.friend.name}
        else: [{set: {most: "0", same: "'nobody'"}}]
      - call: {trial: count, with: {brave: brave.friend or brave}, into: other}
      - end: "{{ brave.friend }} {{ most }} {{ same }} {{ other }}"
  count:
    asks: {brave: {type: card, kind: brave}}
    steps: [{end: "{{ brave.name }} {{ brave.allies.sum(heat) }}"}]
"""


@pytest.mark.parametrize(
    ("name", "outcome"),
    [("Ash", "Cinder 6 Ash Cinder 6"), ("Cinder", "Ash 2 Cinder Ash 0"), ("Oak", "0 nobody Oak 0")],
)
def test_trials_read_the_fields_of_named_cards(tmp_path: Path, name: str, outcome: str) -> None:
    write_game(tmp_path, HEADER + KINDS + TRIAL, braves=CARDS)
    run = prepare_trial(TrialRequest("warm", {"brave": name}))
    assert run.prepared.odds
    assert outcome in str(run.prepared.odds())


TEXT = "{% if friend %}{{ friend.name }} ({{ friend.heat }}) likes {{ friend.friend.name }}.{% endif %}"


def write_text(root: Path, text: str, cards: str = CARDS) -> None:
    write_game(root, HEADER + KINDS.replace("    example:", f'    text: "{text}"\n    example:'), braves=cards)


def texts(language: str = "") -> list[str]:
    entries = load_deck((), workspace=Workspace(language=language))[1].cards
    return [rules_of(entry).describe(entry.card) for entry in entries]


def test_texts_of_kinds_read_the_fields_of_named_cards(tmp_path: Path) -> None:
    """Ash and Cinder name each other, by id and by name."""
    write_text(tmp_path, TEXT)
    assert texts() == ["Cinder (6) likes Ash.", "Ash (2) likes Cinder.", ""]
    write_text(
        tmp_path, "{{ allies | map(attribute='heat') | sum }} of {{ allies | map(attribute='name') | join(', ') }}"
    )
    assert texts() == ["0 of", "6 of Ash, Oak", "0 of"]


def test_names_of_named_cards_are_translated(tmp_path: Path) -> None:
    write_text(tmp_path, TEXT)
    (tmp_path / "cardgen.yaml").write_text("game: ember\nlanguages: [de]\n", encoding="utf-8")
    (tmp_path / "cards" / "braves.de.yaml").write_text(
        "translations: {ash: {name: Asche}, cinder: {name: Glut}}\n", encoding="utf-8"
    )
    assert texts("de") == ["Glut (6) likes Asche.", "Asche (2) likes Glut.", ""]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{ friend.haet }}", "'friend' has no 'haet'; did you mean 'heat'?"),
        ("{{ friend.friend.haet }}", "'friend.friend' has no 'haet'; did you mean 'heat'?"),
    ],
)
def test_a_wrong_field_in_the_text_of_a_kind_is_located(tmp_path: Path, text: str, message: str) -> None:
    write_text(tmp_path, text)
    with pytest.raises(CardgenError) as caught:
        load_deck(())
    (found,) = caught.value.diagnostics
    assert (found.message, found.place.span and found.place.span.line) == (message, 11)


def test_texts_of_a_card_whose_reference_is_wrong_are_reported_at_the_reference(tmp_path: Path) -> None:
    write_text(tmp_path, TEXT, CARDS.replace("friend: cinder", "friend: cindre").replace("friend: Ash", "friend: Oak"))
    found = [each.diagnostic for each in check_project(CheckRequest()).findings]
    assert [each.message for each in found if each.code == "CG115"] == [
        "unknown brave 'cindre'; did you mean 'Cinder'?"
    ]
    assert not [each.message for each in found if "Ash" in each.message]


def drawn(root: Path, name: str, content: str) -> list[str]:
    """Return the SVG of all cards, from a template of this name."""
    write_game(
        root,
        HEADER
        + KINDS.replace("heat: {", "mood: {type: choice, choices: [on_edge, calm], default: calm}\n      heat: {"),
        braves=CARDS.replace("heat: 6", "heat: 6, mood: on_edge"),
    )
    folder = root / "games/ember/templates"
    (folder / "brave.svg.j2").unlink()
    (folder / name).write_text(content, encoding="utf-8")
    project, deck = load_deck(())
    renderer = CardRenderer(project)
    return [renderer.face_renderer(entry).svg_of(entry, renderer.card_size(entry), "front") for entry in deck.cards]


SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">{}</svg>'


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("{{ card.friend.heat if card.friend }}", ["6", "2", ""]),
        ("{% if card.friend %}{{ card.friend.friend.name }}{% endif %}", ["Ash", "Cinder", ""]),
        ("{{ card.friend }}{{ card.friend['heat'] if card.friend }}", ["cinder6", "Ash2", ""]),
        ("{{ card.friend.upper() if card.friend }}", ["CINDER", "ASH", ""]),
        ("{% for ally in card.allies %}{{ ally.name }}{{ ally.heat }}{% endfor %}", ["", "Ash2Oak4", ""]),
        ("{{ named('brave', card.friend).heat if card.friend }}", ["6", "2", ""]),
    ],
)
def test_templates_read_the_fields_of_named_cards(tmp_path: Path, body: str, shown: list[str]) -> None:
    assert drawn(tmp_path, "brave.svg.j2", SVG.format(body)) == [SVG.format(each) for each in shown]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("{{ card.friend.haet }}", "unknown brave field 'haet'; did you mean 'heat'?"),
        ("{{ card.friend.friend.haet }}", "unknown brave field 'haet'; did you mean 'heat'?"),
        (
            "{% for ally in card.allies %}{{ ally.haet }}{% endfor %}",
            "unknown brave field 'haet'; did you mean 'heat'?",
        ),
        (
            "{{ card.friend.heat }}",
            "'heat' is read of a field without a value; test the field first, as in '{% if card.friend %}'",
        ),
    ],
)
def test_a_wrong_field_in_a_template_is_located(tmp_path: Path, body: str, message: str) -> None:
    with pytest.raises(CardgenError) as caught:
        drawn(tmp_path, "brave.svg.j2", SVG.format(body))
    assert {each.message for each in caught.value.diagnostics} == {message}


BOX = "boxes: [{{{}, at: [4, 4, 55, 9]}}]\n"


@pytest.mark.parametrize(
    ("box", "shown"),
    [
        ("field: friend.name", [">Cinder<", ">Ash<", ""]),
        ("field: friend", [">Cinder<", ">Ash<", ""]),
        ("field: friend.mood", [">On edge<", ">Calm<", ""]),
        ("field: friend.heat, label: before", ["**Heat** 6<", "**Heat** 2<", ""]),
        ("field: friend.name, label: before", ["**Friend** Cinder<", "**Friend** Ash<", ""]),
        ("field: friend.friend.heat", [">2<", ">6<", ""]),
        ("text: '{{ friend.name }}: {{ friend.heat }}', when: friend", [">Cinder: 6<", ">Ash: 2<", ""]),
        ("shape: rect, when: {friend.mood: calm}", ["", "<rect", ""]),
        ("icons: heart, count: friend.heat", ["</g>", "</g>", ""]),
    ],
)
def test_layouts_read_the_fields_of_named_cards(tmp_path: Path, box: str, shown: list[str]) -> None:
    found = drawn(tmp_path, "brave.layout.yaml", BOX.format(box))
    assert all(each in svg for each, svg in zip(shown, found, strict=True)), found
    assert len(found[2]) < 120


def test_what_a_card_prints_of_another_is_part_of_its_look_in_releases(tmp_path: Path) -> None:
    """Only then does it change with the other card."""
    for text, expected in ((TEXT, {"ash": ("looks",), "cinder": ("rules",)}), ("{{ friend }}", {"cinder": ("rules",)})):
        write_text(tmp_path, text)
        before = take_snapshot("v1", tmp_path)
        write_text(tmp_path, text, CARDS.replace("heat: 6", "heat: 5"))
        changes = compare(before, take_snapshot("now", tmp_path))
        assert {each.card.id: each.changes[:1] for each in changes.cards} == expected
