"""Which URIs are files that the language server reads."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from cardgen.lsp.publisher import path_of


def test_a_file_of_this_computer_has_a_path() -> None:
    path = Path.cwd() / "cards" / "a b.yaml"
    assert path_of(path.as_uri()) == path
    assert path_of(path.as_uri().replace("file://", "file://localhost", 1)) == path


@pytest.mark.skipif(sys.platform == "win32", reason="names are Unicode")
def test_names_of_files_need_not_be_utf_8() -> None:
    path = Path(os.fsdecode(b"/cards/caf\xe9 \xff.yaml"))
    assert path_of(path.as_uri()) == path


@pytest.mark.parametrize(
    "uri",
    [
        "file://server/share/a.yaml", "file:////server/share/a.yaml", "file://///server/share/a.yaml",
        "file:///%5Cserver/share/a.yaml", "file:///%5C%5Cserver/share/a.yaml", "file:///%2Fserver/share/a.yaml",
        "file:///%5C%5C.%5Cpipe%5Cx", "file:///%5C%5C%3F%5CUNC%5Cserver%5Cshare", "file://[::1]/a", "file://[::1/a",
        "http://server/a.yaml", "untitled:a", "", "file:///a%00.yaml", "file:///\ud800.yaml",
    ],
)  # fmt: skip
@pytest.mark.parametrize("is_windows", [False, True])
def test_other_computers_and_devices_have_none(uri: str, is_windows: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows signs in to the computer that a path such as '\\\\server\\share' names, and so tells it who is there."""

    def on_windows(path: str) -> str:
        return unquote(path.replace("/", "\\"))

    if is_windows:
        monkeypatch.setattr("cardgen.lsp.publisher._decoded", on_windows)
    assert path_of(uri) is None
