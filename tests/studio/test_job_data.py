"""Files of jobs: listed by folder, and served from the output folder only."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cardgen.studio.job import (
    JobFile,
    JobProgress,
    JobResult,
    JobState,
    job_data,
    output_path,
    printed_files,
    sheet_documents,
)


def _job(*files: JobFile) -> Any:
    result = JobResult(files, ("output/old.pdf",), "done", ("a note",), "print it")
    progress = JobProgress(1, 2, "Ash")
    return SimpleNamespace(
        number=7, title="Build", state=JobState.DONE, progress=progress, result=result, problems=(), log=["read"]
    )


def test_files_are_listed_by_folder_with_their_sizes() -> None:
    pictures = [JobFile(f"output/ember-hero/{number}.png", 2**20) for number in range(20)]
    data = job_data(_job(JobFile("output/ember a4.pdf", 10, 3), *pictures))
    pdf, png = data["folders"]
    assert pdf["files"] == [{"name": "ember a4.pdf", "address": "/output/ember%20a4.pdf", "size": "1 KiB", "pages": 3}]
    assert (png["name"], png["count"], png["size"], len(png["files"])) == ("output/ember-hero", 20, "20.0 MiB", 12)
    assert data["notes"] == ["a note", "removed output/old.pdf"]


def test_only_documents_with_pages_are_sheets() -> None:
    documents = sheet_documents(_job(JobFile("/x/a.png", 1), JobFile("/x/b.pdf", 1, 4)))
    assert documents == [{"name": "b", "pages": 4, "address": "/sheet/7/1"}]


def test_the_sheets_with_the_most_different_cards_come_first() -> None:
    blank, heroes = JobFile("/x/blank.pdf", 900_000, 10), JobFile("/x/heroes.pdf", 40_000, 3, 12)
    assert printed_files(_job(blank, heroes)) == [heroes, blank]
    assert [each["address"] for each in sheet_documents(_job(blank, heroes))] == ["/sheet/7/1", "/sheet/7/0"]


@pytest.mark.parametrize(
    "path",
    [
        "../cardgen.yaml", "/etc/passwd", "link", "sub/../../cardgen.yaml", "", "gone", "sub",
        ".hidden", ".folder/a.pdf", "sub/.hidden", "visible", "sub/../.hidden",
        "a" * 300, "a/" * 3000, "a\0", "loop", "loop/a.pdf",
    ],
)  # fmt: skip
def test_other_files_have_no_path(tmp_path: Path, path: str) -> None:
    (tmp_path / "cardgen.yaml").write_text("", encoding="utf-8")
    (tmp_path / "output" / "sub").mkdir(parents=True)
    (tmp_path / "output" / "link").symlink_to(tmp_path / "cardgen.yaml")
    (tmp_path / "output" / ".folder").mkdir()
    for name in ("a.pdf", ".hidden", ".folder/a.pdf", "sub/.hidden"):
        (tmp_path / "output" / name).write_text("", encoding="utf-8")
    (tmp_path / "output" / "loop").symlink_to("loop")
    (tmp_path / "output" / "visible").symlink_to(tmp_path / "output" / ".hidden")
    assert output_path(tmp_path, path) is None
    assert output_path(tmp_path, "a.pdf") == (tmp_path / "output" / "a.pdf").resolve()


def test_an_output_folder_that_leads_out_of_the_project_has_no_files(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.pdf").write_text("", encoding="utf-8")
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "output").symlink_to(tmp_path / "elsewhere")
    assert output_path(tmp_path / "project", "a.pdf") is None


@pytest.mark.parametrize("target", [".git", ".hidden", ".hidden/sub"])
def test_an_output_folder_that_is_a_link_to_a_hidden_one_has_no_files(tmp_path: Path, target: str) -> None:
    (tmp_path / target).mkdir(parents=True)
    (tmp_path / target / "config").write_text("", encoding="utf-8")
    (tmp_path / "output").symlink_to(target)
    assert output_path(tmp_path, "config") is None
