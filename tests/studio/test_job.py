"""Builds and exports of the studio: in processes of their own, cancelled without half files."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cardgen.studio.job import BUILD, EXPORT, PREVIEW, Job, JobRequest, JobState
from tests.journeys.conftest import write_project


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_project(tmp_path_factory.mktemp("jobs") / "scouts", 3)


def _run(request: JobRequest) -> Job:
    async def run() -> Job:
        job = Job("Build", request)
        await asyncio.wait_for(job.end.wait(), 60)
        return job

    return asyncio.run(run())


def test_a_build_writes_its_files_and_reports_progress(project: Path) -> None:
    request = JobRequest(BUILD, str(project), "output", {"only": ["scout-1"], "paper": "letter", "qty": 2})
    job = _run(request)
    assert (job.state, job.problems) == (JobState.DONE, ())
    (file,) = job.result.files
    assert file.pages == 2
    assert (project / file.path).stat().st_size == file.size
    assert "letter" in file.path
    assert "2 copies" in job.result.summary
    assert job.progress.done == job.progress.total > 0
    assert any(file.path in line for line in job.log)
    assert "unchanged" in _run(request).result.summary


def test_a_job_with_a_mistake_says_what_is_wrong_and_writes_nothing(project: Path, tmp_path: Path) -> None:
    job = _run(JobRequest(PREVIEW, str(project), str(tmp_path), {"paper": "b17", "only": ["nobody"]}))
    assert job.state is JobState.FAILED
    assert any("b17" in problem for problem in job.problems)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("sort", [BUILD, PREVIEW, EXPORT])
def test_cards_that_are_right_are_printed_and_the_others_named(tmp_path: Path, sort: str) -> None:
    """Without any option, as the studio asks."""
    root = write_project(tmp_path / "scouts", 2)
    path = next((root / "cards").glob("*.yaml"))
    path.with_name("wrong.yaml").write_text(f"{path.read_text()}speed: fast\nid: wrong\n", "utf-8")
    job = _run(JobRequest(sort, str(root), "output", {}, "web" if sort == EXPORT else ""))
    assert job.state is JobState.DONE
    assert job.result.files
    (problem,) = job.result.notes
    assert "cards/wrong.yaml" in problem
    assert "unknown key 'speed'" in problem
    assert job.result.summary.endswith("1 card skipped") or sort == EXPORT


def test_a_build_takes_what_is_off_and_lists(project: Path) -> None:
    options = {"only": ["scout-1"], "formats": ["png"], "backs": "none", "dpi": 50, "cut_list": False}
    job = _run(JobRequest(BUILD, str(project), "output", options | {"punches": ["25mm", "40mm"], "gap": "2mm"}))
    assert (job.state, job.problems) == (JobState.DONE, ())
    assert [Path(file.path).name for file in job.result.files] == ["002-scout-1-front.png"]


def test_an_export_takes_the_options_of_its_target(project: Path) -> None:
    request = JobRequest(EXPORT, str(project), "output/silhouette", {"feeder": True, "qty": 1}, "silhouette")
    job = _run(request)
    assert (job.state, job.problems) == (JobState.DONE, ())
    assert job.result.files
    assert all(file.path.startswith("output/silhouette") for file in job.result.files)


@pytest.mark.parametrize("profile", ["../press.icc", "/etc/passwd"])
def test_files_outside_the_project_are_refused(project: Path, profile: str) -> None:
    job = _run(JobRequest(EXPORT, str(project), "output/press", {"profile": profile}, "press"))
    assert job.state is JobState.FAILED
    assert not (project / "output" / "press").exists()


def test_a_cancelled_job_leaves_no_half_files(project: Path) -> None:
    """The files of many pages are cancelled while they are written."""
    folder = project / "cancelled"

    async def run() -> Job:
        job = Job("Build", JobRequest(PREVIEW, str(project), str(folder), {"formats": ["png"], "dpi": 600}))

        def stop() -> None:
            if folder.exists():
                job.cancel()

        job.on_change.add(stop)
        await asyncio.wait_for(job.end.wait(), 60)
        return job

    job = asyncio.run(run())
    assert job.state is JobState.CANCELLED
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) < 6
    assert all(path.suffix == ".png" and path.read_bytes().endswith(b"IEND\xaeB`\x82") for path in files)


def test_an_export_needs_no_options(project: Path) -> None:
    job = _run(JobRequest(EXPORT, str(project), "output/tts", {"only": ["scout-1"]}, "tts"))
    assert job.state is JobState.DONE
    assert any(file.path.endswith(".json") for file in job.result.files)
