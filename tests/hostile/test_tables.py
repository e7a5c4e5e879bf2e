"""Tables that are bombs, that reach outside the project, or that no program should believe."""

from __future__ import annotations

import os
import time
import zipfile
from collections.abc import Callable
from io import BytesIO
from itertools import pairwise

import pytest

from cardgen.tables import workbook
from tests.hostile.conftest import Attack
from tests.tables.workbooks import ods, repack, xlsx

ROWS = [["name"], ["Ash"]]
SHEET = "xl/worksheets/sheet1.xml"


def zipped(parts: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    content = BytesIO()
    with zipfile.ZipFile(content, "w", compression) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return content.getvalue()


def broken_lzma() -> bytes:
    """A part that is said to be compressed with LZMA, whose properties are valid."""
    content = bytearray(zipped({"a.xml": bytes.fromhex("090405005d00001000") + b"\xff" * 40}, zipfile.ZIP_STORED))
    for signature, method in ((b"PK\3\4", 8), (b"PK\1\2", 10)):
        content[content.index(signature) + method] = zipfile.ZIP_LZMA
    return bytes(content)


def far_cell() -> bytes:
    cells = b'<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    space = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    return repack(xlsx(ROWS), {SHEET: b"<worksheet %s><sheetData>%s</sheetData></worksheet>" % (space, cells)})


def entity(name: str) -> bytes:
    text = b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'
    return repack(xlsx(ROWS), {name: text})


def laughs() -> bytes:
    names = "abcdefghij"
    levels = "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in pairwise(names))
    text = f'<!DOCTYPE x [<!ENTITY a "ha">{levels}]><x>&j;</x>'
    return repack(xlsx(ROWS), {SHEET: text.encode()})


def long_cell() -> bytes:
    cell = b'<row r="1"><c r="A1" t="inlineStr"><is><t>%s</t></is></c></row>' % (b"A" * 30_000_000)
    space = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    return repack(xlsx(ROWS), {SHEET: b"<worksheet %s><sheetData>%s</sheetData></worksheet>" % (space, cell)})


def shared_text() -> bytes:
    """A text that 200,000 cells have; it would take 18 GB."""
    space = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    row = b"<row>%s</row>" % (b'<c t="s"><v>0</v></c>' * 100)
    sheet = b"<worksheet %s><sheetData>%s</sheetData></worksheet>" % (space, row * 2000)
    texts = b"<sst %s><si><t>%s</t></si></sst>" % (space, b"A" * 90_000)
    return repack(xlsx(ROWS), {SHEET: sheet, "xl/sharedStrings.xml": texts})


def shared_texts_announced() -> bytes:
    texts = b'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" uniqueCount="99999999999"/>'
    return repack(xlsx(ROWS), {"xl/sharedStrings.xml": texts})


def repeated_text() -> bytes:
    text = f"<text:p>{'A' * 90_000}</text:p>"
    cell = f'<table:table-cell table:number-columns-repeated="40" office:value-type="string">{text}</table:table-cell>'
    return ods(f'<table:table-row table:number-rows-repeated="1000">{cell}</table:table-row>')


def cell_named(name: str) -> bytes:
    space = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:x="urn:x"'
    sheet = b'<worksheet %s><sheetData><row r="1"><c %s><v>1</v></c></row></sheetData></worksheet>'
    return repack(xlsx(ROWS), {SHEET: sheet % (space, name.encode())})


def rows_repeated(times: str) -> bytes:
    return ods(
        f'<table:table-row table:number-rows-repeated="{times}" text:number-rows-repeated="1">'
        '<table:table-cell office:value-type="string"><text:p>a</text:p></table:table-cell></table:table-row>'
    )


def spaces() -> bytes:
    text = '<text:p>a<text:s text:c="900000000"/></text:p>'
    return ods(
        f'<table:table-row><table:table-cell office:value-type="string">{text}</table:table-cell></table:table-row>'
    )


def encrypted_ods() -> bytes:
    return repack(ods(""), {"META-INF/manifest.xml": b"<manifest><encryption-data/></manifest>"})


def repeated() -> bytes:
    cell = '<table:table-cell table:number-columns-repeated="16384" office:value-type="string"/>'
    return ods(f'<table:table-row table:number-rows-repeated="1048576">{cell}</table:table-row>')


def sheets(count: int) -> bytes:
    """A workbook whose sheets all have the same part."""
    space = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    relations = b'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    each = b"".join(b'<sheet name="s%d" sheetId="%d" r:id="rId1"/>' % (number, number) for number in range(1, count))
    workbook = b"<workbook %s %s><sheets>%s</sheets></workbook>" % (space, relations, each)
    return repack(xlsx(ROWS), {"xl/workbook.xml": workbook})


def many_full_sheets() -> bytes:
    """Tables with 400,000 cells each, of a few bytes."""
    row = '<table:table-row table:number-rows-repeated="400000"><table:table-cell office:value-type="boolean"/>'
    return ods(f"{row}</table:table-row></table:table><table:table>" * 900)


def rows_without_cells() -> bytes:
    space = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    return repack(
        xlsx(ROWS), {SHEET: b"<worksheet %s><sheetData>%s</sheetData></worksheet>" % (space, b"<row/>" * 600_000)}
    )


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.xlsx", lambda: zipped({"a.xml": b"\0" * (65 * 2**20)}), "CG041.*unpacks to more than 64 MiB"),
        ("a.xlsx", lambda: zipped({f"{n}.xml": b"<a/>" for n in range(1001)}), "CG040.*not a valid spreadsheet"),
        ("a.xlsx", far_cell, "CG041.*more than 1,000,000 cells"),
        ("a.xlsx", lambda: entity(SHEET), "CG040.*document type"),
        ("a.xlsx", lambda: entity("docProps/core.xml"), "CG040.*document type"),
        ("a.xlsx", laughs, "CG040.*document type"),
        ("a.ods", repeated, "CG041.*more than 1,000,000 cells"),
        ("a.xlsx", long_cell, "CG041.*a cell has more than 100,000 characters"),
        ("a.xlsx", shared_text, "CG041.*more than 100,000,000 characters"),
        ("a.ods", repeated_text, "CG041.*more than 100,000,000 characters"),
        ("a.xlsx", lambda: cell_named('r="xfd1048576"'), "CG041.*more than 1,000,000 cells"),
        ("a.xlsx", lambda: cell_named('r="XFD1048576" x:r="A1"'), "CG041.*more than 1,000,000 cells"),
        ("a.xlsx", lambda: cell_named('r="ZZZZZZZZZZ9999999999999"'), "CG040.*not a valid spreadsheet"),
        ("a.ods", lambda: rows_repeated("4294967296"), "CG041.*more than 1,000,000 cells"),
        ("a.ods", lambda: rows_repeated("+900000000"), "CG041.*more than 1,000,000 cells"),
        ("a.xlsx", shared_texts_announced, "CG041.*more than 1,000,000 texts"),
        ("a.ods", spaces, "CG041.*a cell has more than 100,000 characters"),
        ("a.ods", encrypted_ods, "CG040.*has a password"),
        ("a.xlsx", lambda: bytes.fromhex("d0cf11e0a1b11ae1") + bytes(4000), "CG040.*has a password, or an old format"),
        ("a.csv", lambda: b"name," + b"x" * 90_000, "CG101.*unknown column 'x{39}…'"),
        ("a.xlsx", lambda: b"PK\3\4 no archive", "CG040.*not a valid spreadsheet"),
        ("a.ods", lambda: xlsx(ROWS)[:-30], "CG040.*not a valid spreadsheet"),
        ("a.csv", lambda: b"name\n" + b"x" * (16 * 2**20), "CG002.*larger than 16 MiB"),
        ("a.csv", lambda: b"name\n" + b"x," * 1_000_001, "CG041.*more than 1,000,000 cells"),
        ("a.csv", lambda: b"x," * 501 + b"x", "CG041.*more than 500 columns"),
        ("a.csv", lambda: "name\nÉlan".encode("cp1252"), "CG003.*not valid UTF-8"),
        ("a.csv", lambda: "name\nÉlan".encode("utf-16"), "CG003.*UTF-16"),
        ("a.csv", lambda: b"name\nA\0sh", "CG004.*U\\+0000"),
        ("a.json", lambda: b"[" * 200_000, "CG010.*more than 32 levels"),
        ("a.json", lambda: b"[" + b"9" * 5000 + b"]", "CG015.*out of range"),
        ("a.json", lambda: b'[{"name": "\\udfff"}]', "CG004.*U\\+DFFF"),
        ("a.json", lambda: b'[{"name": "A", "name": "B"}]', "CG013.*duplicate key 'name'"),
        ("a.jsonl", lambda: b'{"name": NaN}', "CG015.*out of range"),
        ("a.xlsx", lambda: sheets(200_000), "CG041.*more than 1,000 sheets"),
        ("a.xlsx", lambda: sheets(900), "CG040.*not a valid spreadsheet"),
        ("a.ods", many_full_sheets, "CG041.*more than 1,000,000 cells"),
        ("a.csv", lambda: b"\n" * 8_000_000, "CG041.*more than 1,000,000 lines"),
        ("a.xlsx", broken_lzma, "CG040.*not a valid spreadsheet"),
        ("a.ods", lambda: zipped({"a.xml": bytes(2**27)}, zipfile.ZIP_BZIP2), "CG040.*not a valid spreadsheet"),
        (
            "a.json",
            lambda: b"[{%s}]" % b",".join(b'"%d": 1' % key for key in range(200_000)),
            "CG041.*more than 500 columns",
        ),
    ],
    ids=range(40),
)
def test_a_hostile_table_is_refused_soon(attack: Attack, name: str, content: Callable[[], bytes], message: str) -> None:
    attack.folder.write(f"cards/{name}", content())
    attack.folder.write("cardgen.yaml", f"tables: {{cards/{name}: {{kind: minion}}}}")
    started = time.process_time()
    output = attack.fails(message)
    assert time.process_time() - started < 20
    assert "/etc" not in output.replace("projects", "")
    assert len(output) < 20_000


def test_a_workbook_of_too_many_elements_is_refused_soon(attack: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of the limit, as what it takes grows evenly."""
    monkeypatch.setattr(workbook, "_MAX_ELEMENTS", workbook._MAX_ELEMENTS // 10)
    attack.folder.write("cards/a.xlsx", rows_without_cells())
    attack.folder.write("cardgen.yaml", "tables: {cards/a.xlsx: {kind: minion}}")
    started = time.process_time()
    attack.fails("CG041.*more than 6,000,000 elements")
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("../outside/a.csv", "cardgen.yaml:1:10: error.CG021.*points outside the project"),
        ("/etc/a.csv", "absolute path"),
        ("https://example.org/a.csv", "is a URL"),
        ("link.csv", "points outside the project"),
        ("cards/a.txt", "the name of a table must end in .csv"),
    ],
)
def test_tables_stay_in_the_project(attack: Attack, name: str, message: str) -> None:
    outside = attack.folder.root.parent / "outside"
    outside.mkdir()
    (outside / "a.csv").write_text("name\nSecret\n", encoding="utf-8")
    (attack.folder.root / "link.csv").symlink_to(outside / "a.csv")
    attack.folder.write("cardgen.yaml", f"tables: {{'{name}': {{kind: minion}}}}")
    assert "Secret" not in attack.fails(message)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes")
def test_a_pipe_is_not_waited_for(attack: Attack) -> None:
    os.mkfifo(attack.folder.root / "a.csv")
    attack.folder.write("cardgen.yaml", "tables: {a.csv: {kind: minion}}")
    attack.fails("a.csv: error.CG001.*not a regular file")


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("rows: row.__class__", "CG043"),
        ("rows: \"''.__class__.__mro__\"", "CG043"),
        ("rows: 'range(100000000)'", "CG043"),
        ("rows: \"'x' * 100000000\"", "CG043"),
        ("map: {name: row.name.__globals__}", "CG043"),
        ("map: {name: cycler}", "CG043.*unknown name 'cycler'"),
        ("each: open('/etc/passwd')", "CG043"),
    ],
)
def test_expressions_cannot_reach_python(attack: Attack, setting: str, message: str) -> None:
    attack.folder.write("a.json", '[{"name": "Ash"}]')
    attack.folder.write("cardgen.yaml", f"tables:\n  a.json:\n    kind: minion\n    {setting}\n")
    assert "root:" not in attack.fails(message)
