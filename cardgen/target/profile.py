"""Profiles of services: YAML files that say what a target makes, built-in or of the project."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, did_you_mean, join_words, stop_on_errors
from cardgen.options import LEAST_DPI, MOST_DPI
from cardgen.project.files import PORTABLE_NAME_HELP, display_path, is_portable_name, require_inside
from cardgen.project.project import Length, Project
from cardgen.source import Document, read_document
from cardgen.target.registry import TARGETS
from cardgen.validation.base import Int, Model, SourceMap, Text
from cardgen.validation.validate import describe_actual, validate

SERVICES_FOLDER = "services"


class ServiceProfile(Model):
    """Keys of every profile; targets add their own.

    `target` is the target that reads the profile, `title` is a name for people, and `dpi` the resolution of pictures.
    `bleed` replaces the project's.
    """

    target: Text
    title: Text
    about: Text | None = None
    dpi: Annotated[Int, Field(ge=LEAST_DPI, le=MOST_DPI)] = 300
    bleed: Length | None = None


def profile_files(project: Project) -> dict[str, Path]:
    """Return the files of all profiles by name; the project's have priority over the built-in ones."""
    paths: dict[str, Path] = {}
    for folder in project.folders(SERVICES_FOLDER):
        for path in sorted(folder.glob("*.yaml")):
            paths.setdefault(path.stem, require_inside(folder, path, project.display_path(path)))
    return paths


def title_and_target(path: Path) -> tuple[str, str]:
    """Return the title of a profile, or its name, and its target. Raises CardgenError for an unknown target."""
    document = _read(path)
    target = _target_of(document)
    title = document.data.get("title") if isinstance(document.data, dict) else None
    return title if isinstance(title, str) else path.stem, target


def load_profile(path: Path) -> ServiceProfile:
    """Read a profile as its target's model.

    Raises CardgenError with everything that is wrong in the file.
    """
    document = _read(path)
    model: type[ServiceProfile] = target_module(_target_of(document)).Profile
    profile, problems = validate(model, document.data, SourceMap(document, (model,)))
    stop_on_errors((*document.diagnostics, *problems))
    assert profile is not None
    return profile


def _read(path: Path) -> Document:
    """Read a profile. Raises CardgenError if its name cannot be that of a command and of its output folder."""
    if not is_portable_name(path.stem):
        message, advice = f"'{path.stem}' cannot be the name of a service", f"rename the file: {PORTABLE_NAME_HELP}"
        raise CardgenError(Diagnostic(Code.BAD_SERVICE, message, Place(display_path(path)), advice))
    return read_document(path, display_path(path))


def target_module(name: str) -> Any:
    """Return the module of a target, with its model of profiles, `Profile`, and `export`."""
    return import_module(TARGETS[name].module)


def _target_of(document: Document) -> str:
    stop_on_errors(document.diagnostics)
    data = document.data
    if not isinstance(data, dict) or "target" not in data:
        message, place = "the profile has no 'target'", Place(document.file)
    elif data["target"] in [*TARGETS]:
        return str(data["target"])
    else:
        place = SourceMap(document, (ServiceProfile,)).place(("target",))
        name = data["target"]
        if not isinstance(name, str):
            message = f"'target' must be a name, {describe_actual(name)}"
        else:
            message = f"unknown target '{name}'{did_you_mean(name, TARGETS)}"
    raise CardgenError(Diagnostic(Code.BAD_SERVICE, message, place, f"use {join_words(TARGETS)}"))
