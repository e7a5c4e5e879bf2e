"""Fields that a project adds to the kinds of a built-in game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardgen.deck.deck import card_schema, list_cards, load_deck
from cardgen.project.project import Project
from cardgen.rulesets import ruleset
from tests.cli.commands import Program
from tests.projects import BACK, MINION, Folder

SETTINGS = """\
game: warniris
kinds:
  minion:
    fields:
      faction: {type: choice, choices: [iron, ash]}
      power: {type: integer, min: 1, max: 9, default: 3, label: Power, help: how strong it is}
      slogan: {type: text, optional: true}
"""
CARD = MINION + "faction: iron\nslogan: Onward\n"
FRONT = """\
<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">
<cg:text x="5" y="5" width="40" height="12" field="faction">{{ card.faction }} {{ card.power }}</cg:text>
{% if card.slogan %}
<cg:text x="5" y="20" width="40" height="12" field="slogan">{{ card.slogan }}</cg:text>
{% endif %}
</svg>
"""


@pytest.fixture
def cardgen(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


@pytest.fixture
def project(folder: Folder) -> Folder:
    folder.write("cardgen.yaml", SETTINGS)
    folder.write("cards/a.yaml", CARD)
    folder.write("templates/warniris/minion.svg.j2", FRONT)
    folder.write("templates/warniris/minion.back.svg.j2", BACK)
    return folder


def test_cards_have_the_fields_and_their_defaults(project: Folder) -> None:
    _, deck = load_deck(())
    (entry,) = deck.cards
    assert (entry.card.faction, entry.card.power, entry.card.slogan) == ("iron", 3, "Onward")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("faction: irn", "cards/a.yaml:4:10: error[CG105]: 'faction' must be iron or ash, not 'irn'; did you mean 'iron'?"),  # noqa: E501
        ("faction: iron\npower: 12", "cards/a.yaml:5:8: error[CG109]: must be between 1 and 9, not 12"),
        ("faction: iron\nslogn: x", "cards/a.yaml:5:1: error[CG101]: unknown key 'slogn'"),
        ("power: 3", "error[CG102]: missing key 'faction'"),
    ],
)  # fmt: skip
def test_values_are_checked_where_they_are(project: Folder, cardgen: Program, line: str, message: str) -> None:
    project.write("cards/a.yaml", MINION + line + "\n")
    assert message in cardgen("check", "--no-cache", "--format", "concise").out


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ("minon: {fields: {a_field: {type: text}}}", "unknown kind 'minon'; did you mean 'minion'?"),
        ("minion: {fields: {motto: {type: text}}}", "every card has the key 'motto'"),
        ("minion: {fields: {stats: {type: text}}}", "a minion already has the key 'stats'"),
        ("minion: {fields: {faction: {type: txt}}}", "unknown type 'txt'; did you mean 'text'?"),
        ("minion: {fields: {faction: {type: choice}}}", "needs the key 'choices'"),
        ("minion: {fields: {faction: {type: integer, min: 5, max: 2}}}", "'min' is 5, but 'max' is only 2"),
        ("minion: {fields: {faction: {type: integer, max: 2, code: WN999}}}", "cardgen.yaml:2:"),
        ("minion: {felds: {}}", "unknown key 'felds'"),
        ("minion: 3", "cardgen.yaml:2:"),
        ("3", "'kinds' must be a map"),
        ("minion: {fields: {faction: {type: integer, default: x}}}", "'default' must be a whole number, not 'x'"),
    ],
)
def test_mistakes_in_fields_are_located(project: Folder, cardgen: Program, block: str, message: str) -> None:
    project.write("cardgen.yaml", f"game: warniris\nkinds: {{{block}}}\n" if ":" in block else f"kinds: {block}\n")
    outcome = cardgen("build")
    assert outcome.code == 1
    assert message in outcome.err
    assert "cardgen.yaml" in outcome.err


def test_templates_print_them_and_mistakes_know_them(project: Folder, cardgen: Program) -> None:
    assert cardgen("build", "--format", "svg", "-q").code == 0
    assert ">iron 3<" in (next(project.root.glob("output/**/*front.svg"))).read_text(encoding="utf-8")
    project.write("templates/warniris/minion.svg.j2", FRONT.replace("card.faction", "card.factoin"))
    assert "unknown minion field 'factoin'; did you mean 'faction'?" in cardgen("build").err


def test_builds_notice_a_new_default(project: Folder, cardgen: Program) -> None:
    for power in (3, 4):
        project.write("cardgen.yaml", SETTINGS.replace("default: 3", f"default: {power}"))
        assert cardgen("build", "--format", "svg", "-q").code == 0
        assert f">iron {power}<" in (next(project.root.glob("output/**/*front.svg"))).read_text(encoding="utf-8")


def test_schema_and_list_know_them(project: Folder, cardgen: Program) -> None:
    properties = card_schema()["$defs"]["Minion"]["properties"]
    assert properties["faction"]["enum"] == ["iron", "ash"]
    assert properties["power"]["description"] == "how strong it is"
    (card,) = list_cards(())
    assert dict(card.fields) == {"faction": "iron", "power": 3, "slogan": "Onward"}
    heading, row = cardgen("list").out.splitlines()
    assert heading.split() == ["KIND", "ID", "QTY", "NAME", "FACTION", "POWER", "SLOGAN", "PLACE"]
    assert "iron" in row
    assert json.loads(cardgen("list", "--json").out)["cards"][0]["fields"]["power"] == 3


def test_a_field_that_no_template_reads_is_a_finding(project: Folder, cardgen: Program) -> None:
    assert "CG129" not in cardgen("check", "--no-cache", "--format", "concise").out
    project.write(
        "templates/warniris/minion.svg.j2", FRONT.replace("card.slogan", "card.motto").replace('"slogan"', '"m"')
    )
    assert (
        "cardgen.yaml:7:7: warning[CG129]: no template reads 'slogan' of a minion"
        in cardgen("check", "--no-cache", "--format", "concise").out
    )


def test_a_drawing_reads_fields_too(project: Folder, cardgen: Program) -> None:
    (project.root / "templates/warniris/minion.svg.j2").unlink()
    boxes = "".join(
        f'<rect id="{name}" x="5" y="{y}" width="30" height="8"/>' for y, name in ((5, "faction"), (15, "power"))
    )
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" width="63mm" height="88mm" viewBox="0 0 63 88">{boxes}</svg>'
    project.write("templates/warniris/minion.svg", drawing)
    out = cardgen("check", "--no-cache", "--format", "concise").out
    assert "no template reads 'slogan'" in out
    assert "no template reads 'faction'" not in out


def test_cards_of_the_program_need_no_fields(project: Folder, cardgen: Program) -> None:
    project.write("cards/band.yaml", "kind: warband\nname: Band\nminions: [{minion: Sentinel}, {minion: bog-hag}]\n")
    outcome = cardgen("check", "--no-cache", "--format", "concise")
    assert "missing key 'faction'" not in outcome.out


def test_projects_in_one_process_do_not_share_fields(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, settings in (
        ("one", SETTINGS),
        ("two", SETTINGS.replace("power", "might")),
        ("three", "game: warniris\n"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "cardgen.yaml").write_text(settings, encoding="utf-8")
    fields = {}
    for name in ("one", "two", "three", "one"):
        rules = ruleset.ruleset("warniris", Project.find(tmp_path / name).workspace)
        assert isinstance(rules, ruleset.Ruleset)
        fields[name] = {"power", "might"} & rules.kinds["minion"].model.model_fields.keys()
    assert fields == {"one": {"power"}, "two": {"might"}, "three": set()}


@pytest.mark.parametrize("jobs", [1, 4])
@pytest.mark.parametrize("can_fork", [True, False])
def test_workers_know_the_fields(
    project: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch, jobs: int, can_fork: bool
) -> None:
    for number in range(40):
        project.write(f"cards/{number}.yaml", CARD.replace("Sentinel", f"Sentinel {number}"))
    if not can_fork:
        for module in ("cardgen.runtime.process_pool", "cardgen.face.renderer"):
            monkeypatch.setattr(f"{module}.can_fork", lambda: False)
    outcome = cardgen("build", "--format", "png", "--dpi", "36", "--jobs", str(jobs), "-q")
    assert (outcome.code, outcome.err) == (0, "")
    assert len([*project.root.glob("output/**/*front.png")]) == 41
