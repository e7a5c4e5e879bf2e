from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError, Severity
from cardgen.project.project import Project, Settings
from cardgen.units import CARD_SIZES, PAPER_SIZES, Size
from tests.model.agreement import assert_agreement

EVERYTHING = """\
game: warcry
paper: 210mm x 297mm
layout: single
sizes: {character: tarot, token: 30x30}
bleed: 0.125in
gap: 2
margin: 1cm
backs: gutterfold
printer: office
theme: low-ink
rulings: {elimination: vp}
check: {ignore: [CG201, spelling], fail_level: error}
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def problems(root: Path, text: str) -> list[str]:
    (root / "cardgen.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(CardgenError) as caught:
        Project.find(root)
    return [str(diagnostic) for diagnostic in caught.value.diagnostics]


def test_every_key_has_a_default() -> None:
    settings = Settings()
    assert (settings.game, settings.paper, settings.layout) == (None, PAPER_SIZES["a4"], "grid")
    assert (settings.bleed, settings.gap, settings.margin) == (3, 0, 5)
    assert (settings.backs, settings.printer, settings.theme) == ("long-edge", "default", "default")
    assert (settings.sizes, settings.rulings) == ({}, {})
    assert (settings.check.ignore, settings.check.fail_level) == ((), Severity.WARNING)


def test_everything_can_be_set(root: Path) -> None:
    (root / "cardgen.yaml").write_text(EVERYTHING, encoding="utf-8")
    settings = Project.find(root).settings
    assert (settings.game, settings.paper, settings.layout) == ("warcry", Size(210, 297), "single")
    assert settings.sizes == {"character": CARD_SIZES["tarot"], "token": Size(30, 30)}
    assert (settings.bleed, settings.gap, settings.margin) == (3.175, 2, 10)
    assert (settings.backs, settings.printer, settings.theme) == ("gutterfold", "office", "low-ink")
    assert settings.rulings == {"elimination": "vp"}
    assert (settings.check.ignore, settings.check.fail_level) == (("CG201", "spelling"), Severity.ERROR)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("paper: a9", "cardgen.yaml:1:8: error[CG107]: unknown size 'a9'; "
         "write one of a4, letter, a3, legal, tabloid, a5, or a custom size such as 70mm x 120mm"),
        ("paper: 3", "cardgen.yaml:1:8: error[CG107]: "
         "a size must be one of a4, letter, a3, legal, tabloid, a5, or a custom size such as 70mm x 120mm"),
        ("sizes:\n  relic: 41mm x 63yy", "cardgen.yaml:2:10: error[CG107]: "
         "'63yy' is not a valid length; write a number with a unit, such as 3mm, 0.125in, or 8pt"),
        ("bleed: -3mm", "cardgen.yaml:1:8: error[CG107]: "
         "'-3mm' is not a valid length; write a number with a unit, such as 3mm, 0.125in, or 8pt"),
        ("gap: true", "cardgen.yaml:1:6: error[CG107]: "
         "a length must be a number with a unit, such as 3mm, 0.125in, or 8pt"),
        ("backs: long", "cardgen.yaml:1:8: error[CG105]: "
         "'backs' must be long-edge, short-edge, gutterfold, or none, not 'long'; did you mean 'long-edge'?"),
        ("check: {fail_level: warn}", "cardgen.yaml:1:21: error[CG105]: "
         "'fail_level' must be error, warning, or note, not 'warn'; did you mean 'warning'?"),
        ("check: {ignore: CG201}", "cardgen.yaml:1:17: error[CG103]: 'ignore' must be a list, not 'CG201'"),
        ("papper: a4", "cardgen.yaml:1:1: error[CG101]: unknown key 'papper'; did you mean 'paper'?"),
        ("fail_level: error", "cardgen.yaml:1:1: error[CG101]: unknown key 'fail_level'; it belongs in 'check'"),
        ("rulings: {a: NO}", "cardgen.yaml:1:14: error[CG014]: "
         "NO is ambiguous: text in YAML 1.2, but false in YAML 1.1"),
        (f"languages: [{', '.join(f'{a}{b}' for a in 'abc' for b in 'abcdefghijklmnopq')}]",
         "cardgen.yaml:1:213: error[CG104]: 'languages' must have at most 50 items, not 51"),
        ("theme:", "cardgen.yaml:1:7: error[CG103]: 'theme' must be text, but is empty"),
        ("- a", "cardgen.yaml:1:1: error[CG103]: this must be a map, not a list"),
        ("a: [1", "cardgen.yaml:1:4: error[CG005]: list is missing a comma or its closing ']'"),
    ],
)  # fmt: skip
def test_what_is_wrong(root: Path, text: str, said: str) -> None:
    assert problems(root, text) == [said]


def test_the_help_on_an_unknown_key_names_the_blocks_of_games_too(root: Path) -> None:
    (root / "cardgen.yaml").write_text("quux: 1\ncheck: {quux: 1}\n", encoding="utf-8")
    with pytest.raises(CardgenError) as raised:
        Project.find(root)
    outer, inner = (each.help for each in raised.value.diagnostics)
    assert outer.endswith(
        ", rulings, kinds, check, spelling, retired, tables, and the id of a game that has settings of its own"
    )
    assert inner == "valid keys: ignore, fail_level"


def test_all_problems_at_once(root: Path) -> None:
    said = problems(root, "paper: a9\ngap: x\nno: 1\n")
    assert [line.split(" ")[0] for line in said] == ["cardgen.yaml:1:8:", "cardgen.yaml:2:6:", "cardgen.yaml:3:1:"]


@pytest.mark.parametrize("text", ["", "# nothing yet\n"])
def test_an_empty_file_sets_nothing(root: Path, text: str) -> None:
    (root / "cardgen.yaml").write_text(text, encoding="utf-8")
    assert Project.find(root).settings == Settings()


def test_the_schema_of_the_settings() -> None:
    # What makes a size is not said there: the names are, and the words around a custom size are free.
    assert_agreement(Settings, beyond={"value_error"})


def test_icon_sets_are_files_or_packages_of_the_project(root: Path) -> None:
    (root / "cardgen.yaml").write_text("icons: [game-icons.json, sets/mine]\n", encoding="utf-8")
    (root / "sets/mine").mkdir(parents=True)
    for name in ("game-icons.json", "sets/mine/icons.json"):
        (root / name).write_text("{}", encoding="utf-8")
    assert Project.find(root).icon_sets == (root / "game-icons.json", root / "sets/mine/icons.json")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gone.json", "no icon set 'gone.json'"),
        ("sets", "no icon set 'sets'"),
        ("../game-icons.json", "points outside the project"),
        ("/etc/passwd", "is an absolute path"),
        ("https://example.org/icons.json", "is a URL; save the file in the project"),
    ],
)
def test_an_icon_set_that_is_none_is_named_at_its_setting(root: Path, name: str, message: str) -> None:
    (root / "cardgen.yaml").write_text(f"icons:\n- {name}\n", encoding="utf-8")
    (root / "sets").mkdir()
    with pytest.raises(CardgenError) as caught:
        assert Project.find(root).icon_sets
    (found,) = caught.value.diagnostics
    assert message in found.message
    assert (found.code, found.place.span and found.place.span.line) == ("CG031", 2)
