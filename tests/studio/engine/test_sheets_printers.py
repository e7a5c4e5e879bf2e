"""Calibration in the studio."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.editor.session import Session
from cardgen.runtime.user_folders import config_folder
from cardgen.studio.engine.sheets import Printers


@pytest.fixture
def printers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Printers:
    monkeypatch.setattr("cardgen.project.printers.config_folder", lambda: tmp_path / "config")
    root = tmp_path / "project"
    root.mkdir()
    (root / "cardgen.yaml").write_text("paper: letter\n", encoding="utf-8")
    monkeypatch.chdir(root)
    return Printers(Session(root))


def test_a_printer_is_measured_and_proved(printers: Printers) -> None:
    values = {"printer": "office", "tray": "manual"}
    assert printers.write_sheet(values) == "output/calibration-office-manual-letter.pdf"
    with pytest.raises(CardgenError):
        printers.write_sheet(values, proof=True)
    stored = printers.store(values, {"top": "0,5", "bottom": "0.5", "across": "99.8", "left": ""})
    assert stored.title == "office/manual, LETTER"
    assert "99.8" in stored.figures
    assert "office" in stored.file
    assert Path(stored.file).exists()
    assert printers.profiles() == (("office", "manual", "letter", stored.figures),)
    assert Path(printers.write_sheet(values, proof=True)).name.endswith("-proof.pdf")
    assert not (config_folder() / "printers" / "office.yaml").exists()


def test_all_readings_that_are_not_plausible_are_named(printers: Printers) -> None:
    with pytest.raises(CardgenError) as error:
        printers.store({"printer": "office"}, {"top": "far", "across": "10", "left": "0.1"})
    messages = [each.message for each in error.value.diagnostics]
    assert {message.partition(":")[0] for message in messages} == {"Top scale", "Horizontal ruler"}
    assert not printers.profiles()


@pytest.mark.parametrize("name", ["../office", "a/b/c", "", "/x"])
def test_names_of_printers_are_validated(printers: Printers, name: str) -> None:
    values = {"printer": name or "!", "tray": ""}
    with pytest.raises(CardgenError, match="not a valid name"):
        printers.write_sheet(values)


@pytest.mark.parametrize("values", [{"printer": "bad/name"}, {"printer": "office", "tray": "a/b"}, {"tray": "-"}])
def test_printer_and_tray_are_names_of_their_own(printers: Printers, values: dict[str, str]) -> None:
    with pytest.raises(CardgenError, match="not a valid name"):
        printers.write_sheet(values)
    with pytest.raises(CardgenError, match="not a valid name"):
        printers.store(values, {"top": "0.5"})
    assert not Path("output").exists()


def test_the_default_printer_has_trays(printers: Printers) -> None:
    assert printers.write_sheet({"tray": "manual"}) == "output/calibration-default-manual-letter.pdf"


def test_the_form_names_the_defaults(printers: Printers) -> None:
    fields = {field.name: field for field in printers.form()}
    assert fields["paper"].placeholder == "letter"
    assert [field.name for field in printers.reading_form()] == ["top", "bottom", "left", "right", "across", "along"]
