"""Jobs as the browser shows them: their files by folder, with sizes and addresses."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from cardgen.project.confinement import resolve_visible
from cardgen.studio.jobs.job import Job
from cardgen.studio.jobs.job_request import JobFile

OUTPUT = "output"
# Files of a folder to list by name.
_MOST_FILES = 12


def job_data(job: Job) -> dict[str, Any]:
    """Return what the browser shows of a job."""
    return {
        "number": job.number,
        "title": job.title,
        "state": str(job.state),
        "done": job.progress.done,
        "total": job.progress.total,
        "what": job.progress.what,
        "summary": job.result.summary,
        "problems": list(job.problems),
        "notes": [*job.result.notes, *(f"removed {path}" for path in job.result.removed)],
        "next": job.result.next_step,
        "folders": list(_folders(job.result.files)),
        "log": list(job.log),
    }


def output_path(root: Path, path: str) -> Path | None:
    """Return the file of a path in the output folder of a project, or None if there is none, or it is hidden."""
    folder = root / OUTPUT
    try:
        file = resolve_visible(folder, path)
        return file if file.is_relative_to(root.resolve()) and file.is_file() else None
    except (OSError, ValueError):  # such as a name that is too long
        return None


def file_address(path: str) -> str:
    """Return the address of a file in the output folder."""
    return "/" + quote(path)


def _folders(files: Iterable[JobFile]) -> Iterable[dict[str, Any]]:
    by_folder: dict[str, list[JobFile]] = {}
    for file in files:
        by_folder.setdefault(str(PurePosixPath(file.path).parent), []).append(file)
    for folder, every in by_folder.items():
        size = _size(sum(file.size for file in every))
        yield {
            "name": folder,
            "count": len(every),
            "size": size,
            "files": [_file(each) for each in every[:_MOST_FILES]],
        }


def _file(file: JobFile) -> dict[str, Any]:
    name = PurePosixPath(file.path).name
    return {"name": name, "address": file_address(file.path), "size": _size(file.size), "pages": file.pages}


def _size(size: int) -> str:
    return f"{size / 2**20:.1f} MiB" if size >= 2**20 else f"{max(round(size / 1024), 1)} KiB"


def sheet_documents(job: Job) -> list[dict[str, Any]]:
    """Return the documents of a preview, with the addresses of their pages."""
    return [
        {"name": PurePosixPath(file.path).stem, "pages": file.pages, "address": f"/sheet/{job.number}/{index}"}
        for index, file in enumerate(job.result.files)
        if file.pages
    ]
