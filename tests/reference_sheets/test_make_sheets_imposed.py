from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from click.testing import CliRunner

from cardgen.cli.reference import command
from cardgen.diagnostic import CardgenError
from tests.projects import Folder

SHEETS = {
    "one": "title: One\nnumber: true\nsections: [{section: A, content: [First.]}]\n",
    "two": "title: Two\ntrim: {corners: 3mm}\nsections: [{section: B, content: [Second.]}]\n",
}


@pytest.fixture
def sheets(folder: Folder) -> Folder:
    folder.plain().minions("Sentinel")
    for name, text in SHEETS.items():
        folder.write(f"sheets/{name}.yaml", text)
    return folder


def test_all_sheets_are_imposed_in_one_file(sheets: Folder) -> None:
    result = CliRunner().invoke(command, ["one", "two", "--impose", "1", "--paper", "a5", "--trim"])
    assert result.exit_code == 0, result.output
    assert sheets.files() == ["warniris-imposed-a5.pdf"]
    with pypdfium2.PdfDocument(Path("output/warniris-imposed-a5.pdf")) as document:
        texts = [page.get_textpage().get_text_range() for page in document]
    assert ["First." in text for text in texts] == [True, False]
    assert ["Second." in text for text in texts] == [False, True]


@pytest.mark.parametrize("option", [["--fold"], ["--format", "html"]])
def test_what_cannot_be_imposed_is_said(sheets: Folder, option: list[str]) -> None:
    result = CliRunner().invoke(command, ["one", "--impose", "2", *option])
    assert isinstance(result.exception, CardgenError)
    assert f"--impose cannot be combined with {option[0]}" in str(result.exception.diagnostics[0])
    assert sheets.files() == []
