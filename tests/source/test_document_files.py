from __future__ import annotations

import os
from pathlib import Path

import pytest

from cardgen.source import read_document


def problems(path: Path, content: bytes) -> list[str]:
    path.write_bytes(content)
    return [str(diagnostic) for diagnostic in read_document(path, "cards/a.yaml").diagnostics]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.yaml"


def test_a_file_is_read_under_the_name_it_is_shown_by(path: Path) -> None:
    path.write_bytes("name: Wächter\n".encode())
    document = read_document(path, "cards/a.yaml")
    assert document.data == {"name": "Wächter"}
    assert str(document.place(("name",))) == "cards/a.yaml:1:7"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"name: W\xe4chter\n", "cards/a.yaml:1:8: error[CG003]: byte 8, 0xE4, is not valid UTF-8"),
        (b"a: \xc3\xa4\r\nb: \xff", "cards/a.yaml:2:4: error[CG003]: byte 11, 0xFF, is not valid UTF-8"),
        (b"a: \xed\xa0\x80", "cards/a.yaml:1:4: error[CG003]: byte 4, 0xED, is not valid UTF-8"),
        (b"a: 1\n\xc3", "cards/a.yaml:2:1: error[CG003]: byte 6, 0xC3, is not valid UTF-8"),
        ("a: 1".encode("utf-16"), "cards/a.yaml: error[CG003]: the file is UTF-16, not UTF-8"),
        ("a: 1".encode("utf-16-be"), "cards/a.yaml:1:1: error[CG004]: unprintable character U+0000 NUL (and 3 more)"),
        (b"\x89PNG\r\n\x1a\n", "cards/a.yaml:1:1: error[CG003]: byte 1, 0x89, is not valid UTF-8"),
    ],
)
def test_other_encodings(path: Path, content: bytes, said: str) -> None:
    assert problems(path, content) == [said]


def test_a_byte_order_mark_is_no_part_of_the_first_line(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbfa: NO\n")
    document = read_document(path, "f")
    assert document.data == {"a": "NO"}
    assert [str(problem.place) for problem in document.diagnostics] == ["f:1:4"]


def test_line_breaks_of_all_systems_count_alike(path: Path) -> None:
    path.write_bytes(b"a: 1\r\nb: |\r\n  x\r\n  y\r\nc: 3\rd: 4\n")
    document = read_document(path, "f")
    assert document.data == {"a": 1, "b": "x\ny\n", "c": 3, "d": 4}
    assert str(document.place(("d",))) == "f:6:4"


def test_a_missing_file(tmp_path: Path) -> None:
    (problem,) = read_document(tmp_path / "none.yaml", "none.yaml").diagnostics
    assert str(problem) == "none.yaml: error[CG001]: the file cannot be read: No such file or directory"


def test_a_folder(tmp_path: Path) -> None:
    (problem,) = read_document(tmp_path, "folder").diagnostics
    assert str(problem) == "folder: error[CG001]: the file cannot be read: Is a directory"


@pytest.mark.skipif(os.name != "posix" or os.getuid() == 0, reason="root reads everything")
def test_a_locked_file(path: Path) -> None:
    path.write_text("a: 1", encoding="utf-8")
    path.chmod(0)
    (problem,) = read_document(path, "f").diagnostics
    assert str(problem) == "f: error[CG001]: the file cannot be read: Permission denied"
