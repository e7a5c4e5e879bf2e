"""`cardgen table pull`: published tables become files of the project, from addresses in the user's own settings."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from cardgen.deck import table_pull
from cardgen.deck.table_pull import pull_tables
from cardgen.diagnostic import CardgenError
from cardgen.runtime.download import DownloadError

URL = "https://docs.example/pub?output=csv"


@pytest.fixture
def answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """Return the files on the web, by address; the current folder is a project."""
    files = {URL: b"name,text\nUte,x\n"}

    def download(url: str, limit: int, seconds: float) -> bytes:
        if url not in files:
            raise DownloadError("the answer is 404 Not Found")
        return files[url]

    root = tmp_path / "project"
    root.mkdir()
    (root / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    monkeypatch.chdir(root)
    monkeypatch.setattr(table_pull, "download", download)
    monkeypatch.setattr(table_pull, "config_folder", lambda: tmp_path / "own")
    return files


def pulled(*files: str, url: str | None = None, force: bool = False) -> list[tuple[str, int, bool]]:
    return [(each.file.name, each.rows, each.is_changed) for each in pull_tables([*map(Path, files)], url, force=force)]


def test_the_address_is_given_once(answers: dict[str, bytes], tmp_path: Path) -> None:
    assert pulled("cards.csv", url=URL) == [("cards.csv", 1, True)]
    assert Path("cards.csv").read_bytes() == answers[URL]
    assert pulled() == [("cards.csv", 1, False)]
    answers[URL] += b"Grimm,y\n"
    assert pulled("cards.csv") == [("cards.csv", 2, True)]
    assert [each.name for each in Path.cwd().iterdir() if "published" in each.name] == []
    assert list(json.loads((tmp_path / "own" / "published.json").read_bytes())) == [str(Path.cwd())]


def test_a_project_cannot_name_an_address(
    answers: dict[str, bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pulled("cards.csv", url=URL)
    other = tmp_path / "stranger"
    other.mkdir()
    (other / "published.json").write_text(json.dumps({str(other): {"cards.csv": {"url": URL}}}), encoding="utf-8")
    monkeypatch.chdir(other)
    with pytest.raises(CardgenError, match="no table of this project was downloaded before"):
        pulled()
    with pytest.raises(CardgenError, match="the address of this table is not known"):
        pulled("cards.csv")


def test_own_changes_are_kept(answers: dict[str, bytes]) -> None:
    pulled("cards.csv", url=URL)
    Path("cards.csv").write_text("name\nmine\n", encoding="utf-8")
    with pytest.raises(CardgenError, match="the file has changed since it was downloaded"):
        pulled()
    assert Path("cards.csv").read_text(encoding="utf-8") == "name\nmine\n"
    assert pulled(force=True) == [("cards.csv", 1, True)]


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("cards.csv", b"<!DOCTYPE html><p>Sign in", "leads to a web page"),
        ("cards.csv", b'name\n"open', "unclosed quotation mark"),
        ("cards.xlsx", b"name\n", "not a valid spreadsheet"),
        ("cards.txt", b"name\n", "not the name of a table"),
        ("../cards.csv", b"name\n", "outside|leads out"),
    ],
)
def test_what_is_no_table_is_not_kept(answers: dict[str, bytes], file: str, content: bytes, message: str) -> None:
    answers[URL] = content
    with pytest.raises(CardgenError, match=message):
        pulled(file, url=URL)
    assert not Path(file).exists()


def test_nothing_is_written_if_one_of_several_fails(answers: dict[str, bytes]) -> None:
    pulled("a.csv", url=URL)
    answers[URL + "2"] = b"name\nx\n"
    pulled("b.csv", url=URL + "2")
    answers[URL] += b"new,\n"
    del answers[URL + "2"]
    with pytest.raises(CardgenError, match="404"):
        pulled()
    assert b"new" not in Path("a.csv").read_bytes()


def test_an_address_that_does_not_answer_is_not_remembered(answers: dict[str, bytes]) -> None:
    with pytest.raises(CardgenError, match="404"):
        pulled("cards.csv", url="https://docs.example/typo")
    with pytest.raises(CardgenError, match="no table of this project"):
        pulled()


@pytest.mark.parametrize(("file", "content"), [("a.json", b"[1"), ("a.jsonl", b"{}\n[1"), ("a.json", b"\xff")])
def test_what_is_no_json_is_not_kept(answers: dict[str, bytes], file: str, content: bytes) -> None:
    answers[URL] = content
    with pytest.raises(CardgenError):
        pulled(file, url=URL)
    assert not Path(file).exists()
    answers[URL] = b'[{"name": "Ute"}]'
    assert pulled("b.json", url=URL) == [("b.json", 0, True)]


@pytest.mark.skipif(sys.platform == "win32", reason="creating links needs a privilege on Windows")
def test_a_folder_that_became_a_link_is_refused(answers: dict[str, bytes], tmp_path: Path) -> None:
    pulled("cards/cards.csv", url=URL)
    Path("cards").rename(tmp_path / "outside")
    Path("cards").symlink_to(tmp_path / "outside")
    answers[URL] += b"Grimm,y\n"
    with pytest.raises(CardgenError, match="outside the project"):
        pulled()
    assert b"Grimm" not in (tmp_path / "outside" / "cards.csv").read_bytes()
