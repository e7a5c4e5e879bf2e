"""What a job does, and what its process reports; plain data, because it goes from process to process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

# What a job does: write files of a build or an export, or show the sheets of a build without writing to the project.
BUILD, PREVIEW, EXPORT = "build", "preview", "export"

# The least and the most that an option for a number can be.
RANGES = {"qty": (1, 500), "dpi": (36, 1200)}


@dataclass(frozen=True, slots=True)
class JobRequest:
    """A job for the project in `root`: its options by the names of the command line, and the folder for its files.

    `target` is that of an export.
    """

    sort: str
    root: str
    output: str
    options: Mapping[str, Any] = field(default_factory=dict)
    target: str = ""


@dataclass(frozen=True, slots=True)
class JobProgress:
    """Steps that are complete, and the name of the latest."""

    done: int
    total: int
    what: str


@dataclass(frozen=True, slots=True)
class JobFile:
    """A file that a job wrote or left unchanged; `pages` is 0 unless it is a PDF."""

    path: str
    size: int
    pages: int = 0


@dataclass(frozen=True, slots=True)
class JobResult:
    """The files of a job, and what the command line would print about them."""

    files: tuple[JobFile, ...] = ()
    removed: tuple[str, ...] = ()
    summary: str = ""
    notes: tuple[str, ...] = ()
    next_step: str = ""


@dataclass(frozen=True, slots=True)
class JobFailure:
    """Why a job wrote nothing: one text for each problem, with its place and what to do."""

    problems: tuple[str, ...]


JobReport = str | JobProgress | JobResult | JobFailure


def build_options(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a build as its command has them."""
    options = {name: value for name, value in values.items() if name not in ("no_backs", "formats")}
    if values.get("no_backs"):
        options["backs"] = False
    if values.get("formats"):
        options["formats"] = [values["formats"]]
    return options
