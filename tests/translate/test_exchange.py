"""Files for translators: a round trip loses nothing, and what is not understood is refused at its place."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest
from openpyxl import Workbook

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


HEAD = 'msgid ""\nmsgstr "Language: de\\n"\n\n'
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
        ("Language: de", "Language: fr-XA", "the texts in 'fr-XA' are made by cardgen"),
        ("Language: de", "Language: con", "'con' is the name of a device on Windows; write 'con-Latn'"),
        ("Brennt.", "Bre\0nnt.", "de.po:13:1: error[CG552]: unprintable character U+0000 NUL"),
        ('msgid "Burns."', 'msgid "Bu\x85rns."', "de.po:13:1: error[CG552]: unprintable character U+0085 NEXT LINE"),
        ("Brennt.", "ü" * 600_000, "cards/a.de.yaml: error[CG002]: the file is larger than 1,024 KiB"),
        ("Brennt.", "B" * 5000 + '"\nBrennt', "de.po:15:1: error[CG552]: not a line of a PO file"),
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


def test_what_a_translators_spreadsheet_cannot_say_is_refused(project: Folder) -> None:
    """A formula without a result, a date, a second column of a language, and a character that no file can have."""
    book = Workbook()
    for row in (["context", "source", "de", "de"], ["ash/name", "Ash", "=A1"], ["ash/text", "x", date(2024, 3, 4)]):
        book.active.append(row)
    book.save("de.xlsx")
    project.write("de.csv", "context,source,de\nash/name,Ash,\x07sche\n")
    before = (project.root / "cards/a.de.yaml").read_text()
    for file, messages in {
        "de.xlsx": [
            "de.xlsx!Sheet:D1: error[CG040]: duplicate column 'de'",
            "de.xlsx!Sheet:C2: error[CG552]: the cell contains a formula without a result",
            "de.xlsx!Sheet:C3: error[CG552]: the cell contains the date 2024-03-04",
        ],
        "de.csv": ["de.csv:2:14: error[CG004]: unprintable character U+0007"],
    }.items():
        with pytest.raises(CardgenError) as caught:
            import_file(Path(file), Workspace())
        assert [message for message in messages if message not in str(caught.value)] == [], str(caught.value)
    assert (project.root / "cards/a.de.yaml").read_text() == before


def test_lines_of_cells_come_back_as_a_file_can_have_them(project: Folder) -> None:
    """No file of YAML can have U+2028, which ends the lines of a cell."""
    table = project.root / "cards/gulls.csv"
    table.write_text(
        table.read_text().replace("It flies.,Sie fliegt.", '"It flies.\nIt sings.","Sie fliegt.\nSie singt."')
    )
    for suffix in ("po", "csv", "xlsx"):
        export_catalog(german(), Path(f"out.{suffix}"))
        assert import_file(Path(f"out.{suffix}"), Workspace())[1:] == (0, 0, 1)
        assert states()["gull/text"][0] == "translated"
    assert "\u2028" not in Path("out.po").read_text()
    table.write_text(table.read_text().replace(",text.de", "").replace(',"Sie fliegt.\nSie singt."', ""))
    (project.root / "cards/gulls.de.yaml").unlink()
    expected = {"po": "Sie fliegt.\\\nSie singt.", "csv": "Sie fliegt.\nSie singt."}
    project.write("de.po", f'{HEAD}msgctxt "gull/text"\nmsgid "x"\nmsgstr "Sie fliegt.\u2028Sie singt."\n')
    project.write("de.csv", 'context,source,de\ngull/text,x,"Sie fliegt.\nSie singt."\n')
    for suffix, text in expected.items():
        assert (
            import_file(Path(f"de.{suffix}"), Workspace())[1] + import_file(Path(f"de.{suffix}"), Workspace())[1] == 1
        )
        assert states()["gull/text"] == ("stale", text, "x")
        (project.root / "cards/gulls.de.yaml").unlink()


def test_a_large_file_of_short_lines_takes_time_in_proportion(project: Folder) -> None:
    """Not in proportion to the square of its length, and a line with a million escapes no gigabytes."""
    head = f'{HEAD}msgctxt "ash/name"\nmsgid "Ash"\nmsgstr ""\n'
    for text in ('"a"\n' * 100_000, '"' + "\\\\" * 100_000 + '"\n'):
        project.write("de.po", head + text)
        with pytest.raises(CardgenError, match="the text has 100000 characters, and 'name' can have 80"):
            import_file(Path("de.po"), Workspace())
    project.write("de.po", head + "#" * (16 << 20))
    with pytest.raises(CardgenError, match="the file is larger than 16 MiB"):
        import_file(Path("de.po"), Workspace())


def test_all_files_are_written_or_none(project: Folder) -> None:
    before = (project.root / "cards/a.de.yaml").read_text()
    (project.root / "cards/gulls.de.yaml").mkdir()
    with pytest.raises(CardgenError):
        accept(german())
    assert (project.root / "cards/a.de.yaml").read_text() == before


def test_translations_by_hand_are_accepted(project: Folder) -> None:
    assert german().counts() == {"translated": 4, "stale": 1, "missing": 1, "unrecorded": 3}
    assert accept(german()) == ImportResult(
        (project.root / "cards/a.de.yaml", project.root / "cards/gulls.de.yaml"), 0, 0, 0
    )
    accept(german(), ["ash/text"])
    assert german().counts() == {"translated": 5, "stale": 0, "missing": 1, "unrecorded": 0}
    with pytest.raises(CardgenError, match="'ember/text' has no translation into de"):
        accept(german(), ["ember/text"])


@each_case("name", ["de.po", "de.csv"])
def test_no_translations_are_read_through_a_link_out_of_the_project(project: Folder, name: str) -> None:
    (project.root.parent / name).write_text('msgid "secret"\n', encoding="utf-8")
    (project.root / name).symlink_to(project.root.parent / name)
    with pytest.raises(CardgenError, match="the link points outside the project"):
        import_file(Path(name), Workspace(), "de")


_ROW = {"code": "01", "title": "Toll Guard", "words": "<b>Two</b> coins.", "m": 2}
_TABLE = """
language: en
languages: [fr]
tables:
  guards.json:
    kind: minion
    map:
      id: row.code ~ '-guard'
      name: row.title
      text: row.words | replace('<b>', '**') | replace('</b>', '**')
      stats: {M: row.m, B: 2, S: 2, W: 1, Mo: 10}
"""


def _guards(folder: Folder, *rows: Mapping[str, object], suffix: str = ".json") -> None:
    folder.plain()
    folder.write("cardgen.yaml", _TABLE.replace(".json", suffix))
    lines = [json.dumps({**_ROW, **row}) for row in rows]
    folder.write(f"guards{suffix}", "\n".join(lines) if suffix == ".jsonl" else f"[{', '.join(lines)}]")


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
def test_rows_of_a_json_table_in_another_language_are_translations(suffix: str, folder: Folder) -> None:
    _guards(folder, {}, {"code": "02", "title": "Toll Hound", "words": "It bites."}, {"code": "03"}, suffix=suffix)
    theirs: list[dict[str, object]] = [
        {"code": "02", "title": "Molosse", "words": None, "m": 4},
        {"code": "01", "title": "Toll Guard", "words": "<b>Deux</b> sous."},
        {"code": "99", "title": "Personne"},
    ]
    folder.write("fr.json", json.dumps(theirs))
    result = import_file(Path("fr.json"), Workspace(), "fr")
    assert [path.name for path in result.files] == ["guards.fr.yaml"]
    assert result[1:] == (2, 0, 2)
    found = {name: unit.text.translation for name, unit in read_catalogs(Workspace(), ["fr"])[0].units.items()}
    assert {name: (each.text, each.source) for name, each in found.items() if each} == {
        "01-guard/text": ("**Deux** sous.", "**Two** coins."),
        "02-guard/name": ("Molosse", "Toll Hound"),
    }


def test_json_that_translates_no_rows_is_refused(folder: Folder) -> None:
    _guards(folder, {})
    for content in ('{"code": "01"}', "[]", '[{"title": "Garde"}]', '[{"code": "01"}, {"code": "01"}]'):
        folder.write("fr.json", content)
        with pytest.raises(CardgenError, match="share a key, such as an id, with the rows of a JSON table"):
            import_file(Path("fr.json"), Workspace(), "fr")
    folder.write("fr.json", '[{"code": "01", "words": "sous"}, {"code": ')
    with pytest.raises(CardgenError, match=r"fr\.json:1:44"):
        import_file(Path("fr.json"), Workspace(), "fr")


def test_json_rows_that_make_no_card_and_odd_values_of_keys_are_told(folder: Folder) -> None:
    _guards(folder, {}, {"code": ["02"]})
    folder.write("fr.json", json.dumps([{"code": "01", "title": "Garde" * 100}]))
    with pytest.raises(CardgenError, match=r"fr\.json:/0: .*'Toll Guard' is not a valid card with these texts"):
        import_file(Path("fr.json"), Workspace(), "fr")
