"""The options of sheets and exports, and pictures of pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.editor.session import Session
from cardgen.export.pdf import writer
from cardgen.sheet import calibration
from cardgen.sheet.leaf import Backs, Misregistration
from cardgen.studio.engine.sheets import Sheets
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


def test_every_target_has_its_options_and_nothing_is_uploaded(project: Path) -> None:
    exports = {each.name: each for each in Sheets(Session(project)).form().exports}
    assert exports.keys() == TARGETS.keys()
    assert {"feeder", "skip_slot", "four_marks"} <= {field.name for field in exports["silhouette"].fields}
    assert all(field.name != "upload" for each in exports.values() for field in each.fields)


def test_a_page_is_a_picture(project: Path, tmp_path: Path) -> None:
    none = Misregistration()
    paper = PAPER_SIZES["a5"]
    adjust = none.front_correction(paper), none.back_correction(paper, Backs.LONG_EDGE)
    pages = calibration.pages(paper, Backs.LONG_EDGE, "Title", "command", adjust)
    file = tmp_path / "sheet.pdf"
    file.write_bytes(writer.write(pages, Fonts(), writer.DocumentInfo("Title")))
    sheets = Sheets(Session(project))
    assert sheets.page(str(file), 0, 50).startswith(b"\x89PNG")
    assert sheets.page(str(file), 0, 50) != sheets.page(str(file), 1, 50)
    with pytest.raises(OSError, match="gone"):
        sheets.page(str(tmp_path / "gone.pdf"), 0, 50)
