"""Exports are proved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cardgen.cli import run
from cardgen.target import proof
from tests.projects import Folder
from tests.target.exports import small_project


def test_the_command_proves_the_files_of_an_export(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    small_project(folder)
    looked_at, prove = list[tuple[str, ...]](), proof.prove

    def spy(*files: Path | None, **options: Any) -> proof.Proof:
        looked_at.append(tuple(file.suffix for file in files if file))
        return prove(*files, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(proof, "prove", spy)
    assert run(["export", "silhouette", "--dpi", "72"]) == 0
    assert set(looked_at) == {(".pdf", ".dxf")}


def test_an_export_in_several_languages_is_proved(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    small_project(folder).write("cardgen.yaml", "languages: [de, fr]\n")
    assert run(["export", "silhouette", "--dpi", "72", "--language", "de,fr"]) == 0
    assert "choose one language" not in capsys.readouterr().err
    assert {path.parent.name for path in (folder.root / "output").rglob("*.pdf")} == {"de", "fr"}
