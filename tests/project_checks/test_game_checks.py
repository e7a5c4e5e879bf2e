"""`cardgen check games/NAME`: examples, templates, fields, and terms of a game file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cardgen.project_checks.run import CheckRequest, check_project
from cardgen.scaffold.game import new_game


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    new_game("Ember")
    return tmp_path


TEMPLATE = "games/ember/templates/hero.svg.j2"


def write_template() -> None:
    """Write a template in place of the layout of the front."""
    Path("games/ember/templates/hero.layout.yaml").unlink()
    text = "{{ card.might }} {{ card.wounds }} {{ card.role }}{% if card.traits %} {{ card.traits|join }}{% endif %}"
    Path(TEMPLATE).write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">'
        '<cg:text x="5" y="5" width="50" height="9" style="title" field="name">{{ card.name }}</cg:text>'
        f'<cg:text x="5" y="20" width="50" height="50" field="text">{text}</cg:text></svg>',
        encoding="utf-8",
    )


def check(*paths: str) -> list[str]:
    result = check_project(CheckRequest(tuple(map(Path, paths or ("games/ember",)))))
    return [f"{one.diagnostic.place} {one.diagnostic.code} {one.diagnostic.message}" for one in result.findings]


def change(old: str, new: str, file: str = "games/ember/game.yaml") -> None:
    path = Path(file)
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize("path", ["games/ember", "games/ember/game.yaml", "games/ember/"])
def test_a_new_game_is_clean(path: str) -> None:
    assert check(path) == []


def test_cards_and_games_can_be_checked_together() -> None:
    change("might: 4", "might: 9", "cards/ember.yaml")
    change("wrong: {might: 6, wounds: 1}", "wrong: {might: 6, wounds: 5}")
    assert [line.split()[1] for line in check("games/ember", "cards")] == ["EM100", "CG033"]


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("wrong: {might: 6, wounds: 1}", "wrong: {might: 6, wounds: 5}", "the check does not report the wrong example"),
        ("right: {might: 6, wounds: 4}", "right: {might: 6, wounds: 2}", "the check reports the right example"),
        ("example: {might: 3}", "example: {might: 9}", "the example is not a valid hero: must be between 1 and 6"),
        ("example: {might: 3}", "example: {mihgt: 3}", "the example is not a valid hero: "),
        ("text: \"{% if role", "text: \"A hero with might. {% if role", "term must be written 'Might', not 'might'"),
        ("means: What a hero", "means: A stubborn hero. What a hero",
         "term must be written 'Stubborn', not 'stubborn'"),
        ("might: {type", "might: {icon: shild, type", "unknown icon 'shild'; did you mean 'shield'?"),
        ("    # The text of", "      luck: {type: flag}\n    # The text of", "nothing reads the field 'luck'"),
        ("      might: {type", "      mihgt: {type", "unknown name 'might'"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_game_is_located(old: str, new: str, found: str) -> None:
    change(old, new)
    findings = check()
    assert any(found in line for line in findings), findings
    assert all(line.startswith("games/ember/game.yaml:") for line in findings if found in line)


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        ("frnt: 1", "unknown key 'frnt'"),
        ("size: pokre", "unknown size 'pokre'"),
        ("unknown_keys: no", "no is ambiguous"),
    ],
)
def test_a_mistake_does_not_hide_those_of_other_parts(mistake: str, message: str) -> None:
    other = f"kinds:\n  spark: {{{mistake}, fields: {{might: {{type: integer, default: 1, icon: shild}}}}}}\n"
    change("kinds:\n", other)
    change("wrong: {might: 6, wounds: 1}", "wrong: {might: 6, wounds: 5}")
    expected = (message, "unknown icon 'shild'", "the check does not report the wrong example")
    found = check()
    assert [part in line for line, part in zip(found, expected, strict=True)] == [True] * 3, found


def test_examples_of_a_kind_with_mistakes_are_not_judged() -> None:
    change("      might: {type: integer", "      might: {type: integre")
    change("wrong: {might: 6, wounds: 1}", "wrong: {might: 6, wounds: 5}")
    (line,) = check()
    assert "unknown type 'integre'" in line


def test_a_field_that_nothing_reads_is_named_once() -> None:
    change("    # The text of", "      luck: {type: flag}\n    # The text of")
    (line,) = check()
    assert line.endswith(" CG035 nothing reads the field 'luck' of a hero")


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("{{ card.might }}", "{{ card.mihgt }}", "mihgt"),
        ("{% if card.traits %}", "{% if card.traits", "hero.svg.j2:"),
        ('style="title"', 'style="tittle"', "tittle"),
    ],
)
def test_a_mistake_in_a_template_is_located(old: str, new: str, found: str) -> None:
    write_template()
    assert check() == []
    change(old, new, TEMPLATE)
    assert any(found in line for line in check())


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("[might, wounds]", "[mihgt, wounds]", "mihgt"),
        ("style: number", "style: nmuber", "nmuber"),
        ("fill: plaque", "fill: '{{ plaqe }}'", "plaqe"),
        ("fill: plaque", "fill: '{{ role + 1 }}'", "'fill' cannot be"),
    ],
)
def test_a_mistake_in_a_layout_is_located(old: str, new: str, found: str) -> None:
    change(old, new, "games/ember/templates/hero.layout.yaml")
    assert any("hero.layout.yaml:" in line and found in line for line in check())


@pytest.mark.parametrize(
    "field",
    [
        "{type: integer, min: 1, max: 6}",
        "{type: text, min: 3, max: 5}",
        "{type: choice, choices: [low, high]}",
        "{type: number, max: -2.5}",
        "{type: dice}",
        "{type: colour}",
        "{type: length, min: 2}",
        "{type: integer, optional: true}",
        "{type: picture}",
        "{type: term}",
        "{type: card, kind: hero}",
        "{type: card, kind: spark}",
        "{type: list, items: {type: integer, min: 3}, min: 2}",
        "{type: list, items: {type: picture}, min: 1}",
        "{type: map, keys: [head, body], items: {type: flag}, min: 2}",
        "{type: map, items: {type: text}, min: 2}",
        "{type: attack}",
        "{type: list, items: {type: attack}, min: 1}",
    ],
)
def test_the_template_of_a_kind_without_an_example_is_checked(field: str) -> None:
    attack = "types: {attack: {fields: {reach: {type: integer, min: 2}, by: {type: term}}, line: '{reach} {by}'}}\n"
    change("kinds:\n", f"{attack}kinds:\n  spark:\n    fields:\n      heat: {field}\n")
    template = Path("games/ember/templates/spark.svg.j2")
    head = '<svg xmlns="http://www.w3.org/2000/svg"><text x="5" y="9" style="title">'
    text = head + "NAME{{ 'x' if (card.heat ~ '') == 'reach by' }}</text></svg>"
    template.write_text(text.replace("NAME", "{{ card.name }}"), encoding="utf-8")
    assert check() == []
    template.write_text(text.replace("NAME", "{{ card.nmae }}"), encoding="utf-8")
    problems = check()
    assert [("spark.svg.j2:" in line and "nmae" in line) for line in problems] == [True], problems


def test_pictures_and_lists_are_printed_with_samples() -> None:
    change("kinds:\n", "kinds:\n  spark: {fields: {face: {type: picture}, grade: {type: integer, min: 3}}}\n")
    lists = "lists: {band: {members: {kind: spark}, fields: {chief: {type: card, kind: hero}}, print: roster}}\n"
    change("glossary:\n", f"{lists}glossary:\n")
    Path("games/ember/templates/spark.svg.j2").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">'
        '<cg:art x="2" y="2" width="20" height="20" file="{{ card.face.file }}"/>'
        '<text x="5" y="60" style="title">{{ card.name }} {{ card.grade }}</text></svg>',
        encoding="utf-8",
    )
    assert check() == []


@pytest.mark.parametrize(
    ("example", "message"),
    [
        ("", ""),
        ("example: {members: [Example hero], chief: Example hero, grade: 3}, ", ""),
        (
            "example: {motto: 3, chief: Example hero, grade: 3}, ",
            "the example is not a valid band: 'motto' must be text",
        ),
    ],
)
def test_the_example_of_a_list_is_checked(example: str, message: str) -> None:
    fields = "fields: {chief: {type: card, kind: hero}, grade: {type: integer, min: 3}}"
    lists = f"lists:\n  band: {{members: {{kind: hero}}, {example}print: roster, {fields}}}\n"
    change("glossary:\n", f"{lists}glossary:\n")
    found = check()
    assert [message in line for line in found] == [True] * bool(message), found


@pytest.mark.parametrize(
    "file", ["games/ember/templates/hreo.svg.j2", "games/ember/templates/hreo.svg", "templates/ember/hreo.back.svg"]
)
def test_a_template_without_a_kind_is_found(file: str) -> None:
    Path(file).parent.mkdir(parents=True, exist_ok=True)
    Path(file).write_text("<svg/>", encoding="utf-8")
    (found,) = check()
    assert found.endswith(f"CG035 the template '{Path(file).name}' belongs to no kind; did you mean 'hero'?")


def test_a_drawing_that_a_template_names_is_used() -> None:
    templates = Path("games/ember/templates")
    (templates / "frame.svg").write_text(_drawing('<rect width="9" height="9"/>'), encoding="utf-8")
    (templates / "hero.back.layout.yaml").unlink()
    (templates / "hero.back.svg.j2").write_text("<svg>{% include 'ember/frame.svg.j2' %}</svg>", encoding="utf-8")
    assert not [line for line in check() if "belongs to no kind" in line]


def test_a_drawing_beside_a_written_template_of_the_kind_is_found() -> None:
    Path("games/ember/templates/hero.svg").write_text(_drawing(""), encoding="utf-8")
    (found,) = check()
    assert found.endswith("CG035 the drawing 'hero.svg' is not used, since 'hero.layout.yaml' has priority")


def test_a_layout_beside_a_written_template_of_the_kind_is_found() -> None:
    write_template()
    Path("games/ember/templates/hero.layout.yaml").write_text("frame: edge.svg\n", encoding="utf-8")
    Path("games/ember/templates/edge.svg").write_text(_drawing(""), encoding="utf-8")
    (found,) = check()
    assert found.endswith("CG035 the layout 'hero.layout.yaml' is not used, since 'hero.svg.j2' has priority")


def _drawing(body: str) -> str:
    root = '<svg xmlns="http://www.w3.org/2000/svg" width="63.5mm" height="88.9mm" viewBox="0 0 63.5 88.9">'
    return f"{root}{body}</svg>"


def test_a_drawing_with_a_mistake_reads_its_fields() -> None:
    change("    # The text of", "      luck: {type: integer, default: 1}\n    # The text of")
    body = '<image id="i1"/>' + "".join(
        f'<rect id="{field}" width="9" height="9"/>' for field in ("name", "Luck", "might", "wounds", "weapons")
    )
    Path("games/ember/templates/hero.svg").write_text(_drawing(body), encoding="utf-8")
    Path("games/ember/templates/hero.layout.yaml").unlink()
    found = check()
    assert not [line for line in found if "'luck'" in line], found
    assert [line for line in found if "<image> needs the attribute" in line]


def test_a_field_that_only_a_check_reads_is_read() -> None:
    change("    # The text of", "      luck: {type: integer, default: 1}\n    # The text of")
    change("might >= 5 and wounds < 3", "might >= 5 and wounds < 3 and luck < 9")
    assert check() == []


def test_a_missing_game_is_a_missing_path() -> None:
    assert "no such file or folder" in check("games/embr")[0]


def test_a_link_out_of_the_project_is_not_followed(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    secret = tmp_path_factory.mktemp("other") / "secret.yaml"
    secret.write_text("password: hunter2\n", encoding="utf-8")
    (folder / "games" / "spy").mkdir()
    (folder / "games" / "spy" / "game.yaml").symlink_to(secret)
    result = check_project(CheckRequest((Path("games/spy"),)))
    assert result.findings
    assert "password" not in str(result.findings)


def test_a_template_behind_a_link_out_of_the_project_is_not_read(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """What it would load counts as unused, and it does not make the check give up."""
    secret = tmp_path_factory.mktemp("other") / "secret"
    secret.write_text("{% include 'ember/frame.svg.j2' %}{% include name %}", encoding="utf-8")
    templates = folder / "games" / "ember" / "templates"
    (templates / "frame.svg").write_text(_drawing(""), encoding="utf-8")
    (templates / "hero.long.svg.j2").symlink_to(secret)
    assert [line.partition("CG035 ")[2] for line in check() if "belongs to no kind" in line] == [
        "the template 'frame.svg' belongs to no kind"
    ]


def test_a_template_that_is_no_file_does_not_hold_up_the_check(folder: Path) -> None:
    os.mkfifo(folder / "games" / "ember" / "templates" / "pipe.svg.j2")
    (found,) = check()
    assert "the template 'pipe.svg.j2' belongs to no kind" in found


def test_mistakes_that_the_example_does_not_reach_are_found() -> None:
    """The names of fields in attributes, and branches that the example does not take."""
    write_template()
    change('field="name"', 'field="nam"', TEMPLATE)
    change("</svg>", "{% if card.motto %}{{ card.mtto }}{% endif %}</svg>", TEMPLATE)
    assert [line.partition(" CG511 ")[2].partition(";")[0] for line in check()] == [
        "unknown hero field 'nam'",
        "unknown hero field 'mtto'",
    ]
