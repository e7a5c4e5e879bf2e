"""Sheets in the inks of a press: the profile is an option of every build of PDFs."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pytest

from cardgen.builds.builder import build
from cardgen.diagnostic import CardgenError
from cardgen.print.request import BuildRequest
from tests.export.press_tools import profile_path, run
from tests.projects import Folder


def built(folder: Folder, profile: Path) -> Path:
    folder.plain().minions("Brute")
    request = BuildRequest(profile=str(profile), output=folder.root / "out", jobs=1, cache=False)
    (file,) = build(request).files
    return file


def test_sheets_are_in_ink_and_keep_their_marks(folder: Folder) -> None:
    file = built(folder, profile_path())
    with pikepdf.open(io.BytesIO(file.read_bytes())) as pdf:
        assert pdf.docinfo["/GTS_PDFXVersion"] == "PDF/X-4"
        (intent,) = pdf.Root.OutputIntents
        assert intent.DestOutputProfile.read_bytes() == profile_path().read_bytes()
        content = b"".join(page.Contents.read_bytes() for page in pdf.pages)
    assert b" rg" not in content
    assert b"/LayerCuts BDC" in content
    run("qpdf", "--check", str(file))


def test_a_file_that_is_no_profile_is_an_error_and_nothing_is_written(folder: Folder) -> None:
    (folder.root / "press.icc").write_text("not a profile")
    with pytest.raises(CardgenError, match="is not an ICC profile"):
        built(folder, folder.root / "press.icc")
    assert not (folder.root / "out").exists()
