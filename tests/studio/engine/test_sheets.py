"""The options of sheets and exports, and pictures of pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.cli import run
from cardgen.editor.session import Session
from cardgen.export.pdf import writer
from cardgen.options import FLAG, NUMBER, OPTIONS, TEXT
from cardgen.print import calibrate
from cardgen.sheet.leaf import Backs, Misregistration
from cardgen.studio.engine.sheets import Sheets
from cardgen.studio.page_words import CHOICE, SEVERAL
from cardgen.target.registry import TARGETS
from cardgen.text.fonts import Fonts
from cardgen.units import PAPER_SIZES
from tests.journeys.conftest import write_project


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_project(tmp_path_factory.mktemp("sheets") / "scouts", 2)
    text = "format: 1\ngame: warniris\nkind: warband\nname: Night\nmembers:\n  - {character: scout-0}\n"
    (root / "cards" / "night.yaml").write_text(text, encoding="utf-8")
    (root / "press.icc").write_bytes(b"")
    return root


def test_the_form_has_the_options_of_the_command_line(project: Path) -> None:
    form = Sheets(Session(project)).form()
    cards = {field.name: field for field in form.cards}
    assert [choice.label for choice in cards["warband"].choices] == ["Night"]
    assert {"character", "even", "scout-1"} <= {choice.value for choice in cards["only"].choices}
    paper = {field.name: field for field in form.paper}
    assert paper["paper"].placeholder == "a4"
    assert [choice.value for choice in paper["layout"].choices] == ["grid", "packed", "single"]
    assert "a4-poker" in {choice.value for choice in paper["sprue"].choices}
    (press,) = (field for field in form.rare if field.name == "profile")
    assert [choice.value for choice in press.choices] == ["press.icc"]


def test_every_option_of_the_table_that_changes_files_has_a_field(project: Path) -> None:
    form = Sheets(Session(project)).form()
    fields = {field.name: field for field in (*form.cards, *form.paper, *form.rare)}
    # The project has no release and no translations.
    without = {"changed_since", "changes", "errata", "language", "strict_language"}
    assert fields.keys() == {name for name, option in OPTIONS.items() if option.content} - without
    assert (fields["qty"].low, fields["qty"].high) == OPTIONS["qty"].limits
    sorts = {name: fields[name].sort for name in ("gap", "cut_list", "punches", "formats", "theme", "dpi")}
    assert sorts == {
        "gap": TEXT,
        "cut_list": FLAG,
        "punches": SEVERAL,
        "formats": SEVERAL,
        "theme": CHOICE,
        "dpi": NUMBER,
    }
    exported = {name for name, option in OPTIONS.items() if option.export and option.content} - without
    assert {field.name for field in form.of_exports} == exported - {"dpi"}


def test_fields_start_with_the_settings_of_the_project(tmp_path: Path) -> None:
    root = write_project(tmp_path / "scouts", 1)
    (root / "cardgen.yaml").write_text(
        "game: warniris\nbacks: short-edge\ngap: 2mm\npunches: [25mm, 40mm]\ncut_list: false\ntheme: low-ink\n"
        "corners: {minion: 3mm}\nprinter: none\npaper: letter\n",
        encoding="utf-8",
    )
    form = Sheets(Session(root)).form()
    fields = {field.name: field for field in (*form.cards, *form.paper, *form.rare)}
    shown = {name: fields[name].placeholder for name in ("gap", "margin", "punches", "theme", "corners", "printer")}
    assert shown == {
        "gap": "2mm",
        "margin": "5mm",
        "punches": "25mm, 40mm",
        "theme": "low-ink",
        "corners": "minion: 3mm",
        "printer": "none",
    }
    assert (fields["backs"].sort, fields["backs"].placeholder) == (CHOICE, "short-edge")
    assert (fields["paper"].placeholder, fields["sprue"].placeholder, fields["dpi"].placeholder) == (
        "letter",
        "none",
        "300",
    )
    assert {name: fields[name].is_on for name in ("kit", "cut_list", "version_mark")} == {
        "kit": False,
        "cut_list": False,
        "version_mark": False,
    }


def test_options_of_releases_have_fields_once_there_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write_project(tmp_path / "scouts", 1)
    monkeypatch.chdir(root)
    assert run(["release", "v1"]) == 0
    form = Sheets(Session(root)).form()
    fields = {field.name: field for field in form.rare}
    assert [choice.value for choice in fields["changed_since"].choices] == ["v1"]
    assert [choice.value for choice in fields["errata"].choices] == ["sheet", "stickers"]
    assert {"changed_since", "changes"} <= {field.name for field in form.of_exports}


def test_languages_can_be_chosen_if_the_project_has_any(project: Path) -> None:
    (project / "cardgen.yaml").write_text("game: warniris\nlanguages: [de, fr]\n", encoding="utf-8")
    (languages,) = (each for each in Sheets(Session(project)).form().cards if each.name == "language")
    assert (languages.sort, [each.value for each in languages.choices]) == (SEVERAL, ["de", "fr"])


def test_every_target_has_its_options_and_nothing_is_uploaded(project: Path) -> None:
    exports = {each.name: each for each in Sheets(Session(project)).form().exports}
    assert exports.keys() == TARGETS.keys()
    assert {"feeder", "skip_slot", "four_marks"} <= {field.name for field in exports["silhouette"].fields}
    assert all(field.name != "upload" for each in exports.values() for field in each.fields)


def test_a_page_is_a_picture(project: Path, tmp_path: Path) -> None:
    none = Misregistration()
    paper = PAPER_SIZES["a5"]
    adjust = none.front_correction(paper), none.back_correction(paper, Backs.LONG_EDGE)
    leaf = calibrate.calibration_leaf(paper, Backs.LONG_EDGE, "Title", "command", adjust)
    file = tmp_path / "sheet.pdf"
    file.write_bytes(writer.write(leaf.printed_sides, Fonts(), writer.DocumentInfo("Title")))
    sheets = Sheets(Session(project))
    assert sheets.page(str(file), 0, 50).startswith(b"\x89PNG")
    assert sheets.page(str(file), 0, 50) != sheets.page(str(file), 1, 50)
    with pytest.raises(OSError, match="gone"):
        sheets.page(str(tmp_path / "gone.pdf"), 0, 50)
