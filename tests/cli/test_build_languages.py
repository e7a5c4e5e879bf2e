"""Builds, lists, and pictures in the languages of a project."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.builds.builder import build
from cardgen.print.request import BuildRequest
from tests.cli.commands import Program
from tests.projects import Folder, pages_of


@pytest.fixture
def project(folder: Folder) -> Folder:
    return folder.translated()


def test_a_build_makes_a_folder_for_each_language_and_says_what_it_lacks(project: Folder, cardgen: Program) -> None:
    outcome = cardgen("build", "--language", "de,fr")
    assert outcome.code == 0
    assert outcome.err.splitlines() == [
        "note: de: 1 text not translated, so printed in the language of the cards; 1 translation older than the "
        "source; "
        "run 'cardgen translate status de'",
        "note: fr: 5 texts not translated, so printed in the language of the cards; run 'cardgen translate status fr'",
    ]
    german = pages_of(project.output("de/warniris-minion-a4.pdf"))[0]
    assert "Asche" in german
    assert "Burn." in german
    assert "Mouette" in pages_of(project.output("fr/warniris-minion-a4.pdf"))[0]
    assert build(BuildRequest(language=("en",), cache=False)).files == (Path("output/en/warniris-minion-a4.pdf"),)


def test_with_strict_language_each_gap_is_an_error(project: Folder, cardgen: Program) -> None:
    outcome = cardgen("build", "--language", "de", "--strict-language")
    assert outcome.code == 1
    assert [line for line in outcome.err.splitlines() if "error" in line] == [
        "cards/a.de.yaml:4:11: error[CG551]: 'text' of 'Ash' has changed since its translation (de)",
        "cards/a.yaml:4:66: error[CG551]: 'text' of 'Ember' is not translated (de)",
    ]
    assert cardgen("build", "--strict-language").code == 2


def test_lists_and_sheets_are_in_the_language(project: Folder, cardgen: Program) -> None:
    assert "Möwe" in cardgen("list", "--language", "de").out
    assert cardgen("list", "--language", "de,fr").code == 2
    assert cardgen("show", "gull", "--language", "de", "--no-open").out == "output/de/gull-front.png\n"
    assert "contains translations, not cards" in cardgen("check", "cards/a.de.yaml").out
