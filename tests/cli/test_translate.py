from __future__ import annotations

import json

from tests.cli.commands import Program
from tests.projects import Folder


def test_states_files_and_what_comes_back(folder: Folder, cardgen: Program) -> None:
    folder.translated()
    assert cardgen("translate", "status", "fr").out.splitlines()[1:3] == [
        "fr                   1           0           5           1",
        "cards/a.yaml:3:12: missing: ash/name",
    ]
    assert cardgen("translate", "export", "de").out == "output/de.po\n"
    assert cardgen("translate", "import", "output/de.po").out.splitlines() == [
        "cards/a.de.yaml",
        "cards/gulls.de.yaml",
        "0 new, 0 changed, 1 without a translation",
    ]
    data = json.loads(cardgen("translate", "status", "--json").out)
    assert [each["counts"]["unrecorded"] for each in data["languages"]] == [0, 0, 1]
    assert data["languages"][0]["gaps"][0]["text"] == "ash/text"
    folder.write("cards/a.fr.yaml", "translations: {asch: {name: Cendre}}\n")
    assert "no card has the id 'asch'; did you mean 'ash'?" in cardgen("translate", "status").err
    assert "the project has no translations into 'it'" in cardgen("translate", "status", "it").err
    assert cardgen("translate", "accept", "de").out == "0 new, 0 changed, 0 without a translation\n"
