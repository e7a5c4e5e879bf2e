"""Texts of card files in the studio: only inside the project, and nothing that others wrote is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.studio.page_words import ChangedOutsideError, TextError, card_path, difference, merged, read, save


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "cards").mkdir(parents=True)
    (root / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    (root / "cards" / "a.yaml").write_bytes(b"name: A\n")
    (tmp_path / "secret.yaml").write_text("secret", encoding="utf-8")
    (root / "cards" / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    return root


@pytest.mark.parametrize(
    "file",
    [
        "../secret.yaml",
        "cards/../../secret.yaml",
        "cards/link.yaml",
        "/etc/passwd",
        "cardgen.yaml",
        "cards/.hidden.yaml",
        ".git/config.yaml",
        "cards/a.txt",
        "templates/front.svg.j2",
        "file:///etc/passwd",
        "cards\\a.yaml",
        "cards/a\0.yaml",
        "",
    ],
)
def test_only_card_files_of_the_project_are_opened(project: Path, file: str) -> None:
    with pytest.raises(TextError):
        card_path(project, file)
    with pytest.raises(TextError):
        read(project, file)


@pytest.mark.parametrize("content", [b"name: A\n", b"name: A\r\nqty: 2\r\n", b"\xef\xbb\xbfname: A\n", b"# no end"])
def test_saving_keeps_line_breaks_and_marks(project: Path, content: bytes) -> None:
    file = project / "cards" / "a.yaml"
    file.write_bytes(content)
    base = read(project, "cards/a.yaml")
    assert "\r" not in base.text
    saved = save(project, "cards/a.yaml", base.text, base)
    assert file.read_bytes() == content
    assert saved == base


def test_a_file_that_changed_outside_is_not_overwritten(project: Path) -> None:
    file = project / "cards" / "a.yaml"
    base = read(project, "cards/a.yaml")
    file.write_text("name: Theirs\n", encoding="utf-8")
    with pytest.raises(ChangedOutsideError) as caught:
        save(project, "cards/a.yaml", "name: Mine\n", base)
    assert caught.value.current.text == "name: Theirs\n"
    assert file.read_text(encoding="utf-8") == "name: Theirs\n"
    save(project, "cards/a.yaml", "name: Mine\n", caught.value.current)
    assert file.read_text(encoding="utf-8") == "name: Mine\n"


def test_a_file_that_was_deleted_is_a_conflict(project: Path) -> None:
    base = read(project, "cards/a.yaml")
    (project / "cards" / "a.yaml").unlink()
    with pytest.raises(ChangedOutsideError):
        save(project, "cards/a.yaml", "name: Mine\n", base)


def test_files_that_are_no_text_are_not_opened(project: Path) -> None:
    (project / "cards" / "a.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(TextError, match="cannot read"):
        read(project, "cards/a.yaml")


def test_the_difference_names_both_texts() -> None:
    lines = difference("cards/a.yaml", "name: A\n", "name: B\n").splitlines()
    assert lines[:2] == ["--- cards/a.yaml (file)", "+++ cards/a.yaml (studio)"]
    assert lines[-2:] == ["-name: A", "+name: B"]


_STATS = "name: Ada  # first\nstats: {M: 3, B: 4, S: 4}\ntags: [a]\n"


@pytest.mark.parametrize(
    ("mine", "theirs", "both"),
    [
        (("Ada", "Bo"), ("[a]", "[a, b]"), "name: Bo  # first\nstats: {M: 3, B: 4, S: 4}\ntags: [a, b]\n"),
        (("Ada", "Bo"), ("M: 3", "M: 5"), "name: Bo  # first\nstats: {M: 5, B: 4, S: 4}\ntags: [a]\n"),
        (("M: 3", "M: 9"), ("B: 4", "B: 5"), "name: Ada  # first\nstats: {M: 9, B: 5, S: 4}\ntags: [a]\n"),
        (("tags: [a]\n", ""), ("# first", "# one"), "name: Ada  # one\nstats: {M: 3, B: 4, S: 4}\n"),
        (("Ada", "Bo"), ("Ada", "Bo"), "name: Bo  # first\nstats: {M: 3, B: 4, S: 4}\ntags: [a]\n"),
        (("Ada", "Bo"), ("Ada", "Cy"), None),
        (("Ada", "Ada Bo"), ("Ada", "Ada Cy"), None),
        (("M: 3", "M: 5"), ("stats: {M: 3, B: 4, S: 4}\n", ""), None),
        (("tags", "motto: x\ntags"), ("tags", "text: y\ntags"), None),
    ],
)
def test_changes_of_different_values_are_merged_and_others_are_not(
    mine: tuple[str, str], theirs: tuple[str, str], both: str | None
) -> None:
    one, other = _STATS.replace(*mine), _STATS.replace(*theirs)
    assert merged(_STATS, one, other) == both
    assert merged(_STATS, other, one) == both
    assert merged(_STATS, one, _STATS) == one
