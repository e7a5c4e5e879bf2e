"""Files for translators: a round trip loses nothing, and what is not understood is refused at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.runtime.workspace import Workspace
from cardgen.tables.table_file import read_sheets
from cardgen.tables.writer import write_csv
from cardgen.translate.catalog import Catalog, read_catalogs
from cardgen.translate.exchange import ImportResult, accept, export_catalog, import_file
from tests.cases import each_case
from tests.projects import STATS, Folder


@pytest.fixture
def project(folder: Folder) -> Folder:
    return folder.translated()


def german() -> Catalog:
    return read_catalogs(Workspace(), ["de"])[0]


def states() -> dict[str, tuple[str, str | None, str | None]]:
    return {
        name: (unit.text.state.value, found.text if found else None, found.source if found else None)
        for name, unit in german().units.items()
        for found in [unit.text.translation]
    }


# Texts that a spreadsheet could take for a formula, a date, or nothing.
_HARD = f'  - {{name: =Sum, stats: {STATS}, text: "- one\\n- 3/4 {{{{bolt}}}}\\n\\n\'tis \\"so\\""}}\n'


_HARD_GERMAN = "  sum: {name: '=SUMME', text: \"- eins\\n- 3/4 {bolt}\\n\\n'so' ist: # es\"}\n"


def test_a_round_trip_loses_nothing_and_records_sources(project: Folder) -> None:
    project.write("cards/a.yaml", (project.root / "cards/a.yaml").read_text() + _HARD)
    project.write(
        "cards/a.de.yaml", "# Translated by Ida.\n" + (project.root / "cards/a.de.yaml").read_text() + _HARD_GERMAN
    )
    before = states()
    for suffix in ("po", "csv", "xlsx"):
        assert export_catalog(german(), Path(f"out.{suffix}")) == 8
        result = import_file(Path(f"out.{suffix}"), Workspace())
        assert result[1:] == (0, 0, 1)
        after = states()
        assert {name: each[:2] for name, each in after.items()} == {name: each[:2] for name, each in before.items()}
        assert german().counts() == {"translated": 6, "stale": 1, "missing": 1, "unrecorded": 0}
        assert import_file(Path(f"out.{suffix}"), Workspace()).files == ()
    assert after["ash/text"] == ("stale", "Füge 2 Wunden zu.", "Deal 1 wound.")
    assert (project.root / "cards/a.de.yaml").read_text().startswith("# Translated by Ida.\ntranslations:\n  ash:\n")
    # That of a table has only the sources of its columns.
    assert (project.root / "cards/gulls.de.yaml").read_text() == (
        "translations:\n  gull:\n    source:\n      name: Gull\n      text: It flies.\n"
    )


PO = """\
msgid ""
msgstr "Language: de\\n"

#: cards/a.yaml
msgctxt "ash/text"
msgid "Deal 2 wounds."
msgstr "Füge 2 Wunden zu:\\n"
"\\"jetzt\\""

#, fuzzy
#| msgid "Burns."
msgctxt "ember/text"
msgid "Burn."
msgstr "Brennt."

#~ msgid "gone"
#~ msgstr "weg"
"""


def test_a_translator_changes_adds_and_leaves_to_be_reviewed(project: Folder) -> None:
    project.write("de.po", PO)
    assert import_file(Path("de.po"), Workspace())[1:] == (1, 1, 0)
    found = states()
    assert found["ash/text"] == ("translated", 'Füge 2 Wunden zu:\n"jetzt"', "Deal 2 wounds.")
    assert found["ember/text"] == ("stale", "Brennt.", "Burns.")
    # A source that has changed since the export makes the translation stale at once.
    project.write("cards/a.yaml", (project.root / "cards/a.yaml").read_text().replace("Deal 2", "Deal 3"))
    project.write("de.po", PO.replace("Wunden zu:", "Treffer zu:"))
    import_file(Path("de.po"), Workspace())
    assert states()["ash/text"][0] == "stale"


@each_case(
    "old, new, message",
    [
        (
            "ash/text",
            "asch/text",
            "de.po:6:1: error[CG552]: no text of a card is 'asch/text'; did you mean 'ash/text'?",
        ),
        ("ember/text", "ash/text", "de.po:13:1: error[CG552]: a second translation of 'ash/text'"),
        ("ember/text", "gull/name", "this translation of 'gull/name' is in a table: cards/gulls.csv:2:6"),
        ('\\n"\n', '\\q"\n', "de.po:2:1: error[CG552]: unknown escape '\\q'"),
        (
            'msgid "Burn."',
            'msgid "Burn."\nmsgid_plural "x"',
            "de.po:14:1: error[CG552]: plural forms are not supported",
        ),
        ('msgstr "Brennt."', "", "a message without msgid or msgstr"),
        ("Language: de", "Charset: x", "de.po: error[CG552]: the file does not say in which language it is"),
        ("Language: de", "Language: it", "the project has no translations into 'it'"),
        ("Brennt.", "B" * 5000 + '"\nBrennt', "de.po:15:1: error[CG552]: this is no line of a PO file"),
    ],
)
def test_what_is_not_understood_is_refused_and_nothing_written(
    folder: Folder, old: str, new: str, message: str
) -> None:
    folder.translated().write("de.po", PO.replace(old, new))
    before = (folder.root / "cards/a.de.yaml").read_text()
    with pytest.raises(CardgenError) as caught:
        import_file(Path("de.po"), Workspace())
    assert message in str(caught.value)
    assert (folder.root / "cards/a.de.yaml").read_text() == before


def test_a_spreadsheet_of_a_translator(project: Folder) -> None:
    export_catalog(german(), Path("de.csv"), only_gaps=True)
    (table,) = read_sheets(Path("de.csv"), "de.csv").values()
    assert [*table.columns] == ["context", "source", "de", "state", "made from", "notes"]
    assert [row.values["context"] for row in table.rows] == ["ash/text", "ember/text"]
    assert "room for about" in str(table.rows[0].values["notes"])
    project.write(
        "de.csv", write_csv([["context", "source", "de", "state"], ["ember/text", "Burn.", "Brenne.", "missing"]])
    )
    assert import_file(Path("de.csv"), Workspace())[1:] == (1, 0, 0)
    assert states()["ember/text"] == ("translated", "Brenne.", "Burn.")
    project.write("de.csv", "card,text\n")
    with pytest.raises(CardgenError, match="the columns must be 'context', 'source'"):
        import_file(Path("de.csv"), Workspace())


def test_translations_by_hand_are_accepted(project: Folder) -> None:
    assert german().counts() == {"translated": 4, "stale": 1, "missing": 1, "unrecorded": 3}
    assert accept(german()) == ImportResult(
        (project.root / "cards/a.de.yaml", project.root / "cards/gulls.de.yaml"), 0, 0, 0
    )
    accept(german(), ["ash/text"])
    assert german().counts() == {"translated": 5, "stale": 0, "missing": 1, "unrecorded": 0}
    with pytest.raises(CardgenError, match="'ember/text' has no translation into de"):
        accept(german(), ["ember/text"])
