from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cardgen.face.template.engine import Templates
from cardgen.runtime.user_folders import cache_folder
from cardgen.sandbox import compiler, environment
from cardgen.sandbox.compiler import BoundedCodeGenerator

FILE = "chess/pawn.svg.j2"
SOURCE = "{% macro twice(x) %}{{ x }}{{ x }}{% endmacro %}{{ twice(word) }}!"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of templates of the program, whose compiled files are beside them."""
    monkeypatch.setattr(sys, "pycache_prefix", None)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "chess").mkdir()
    (tmp_path / FILE).write_text(SOURCE, encoding="utf-8")
    return tmp_path


@pytest.fixture
def sources(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """The names of all templates that are compiled from now on."""
    names: list[str | None] = []
    visit = BoundedCodeGenerator.visit_Template

    def recorded(self: BoundedCodeGenerator, *args: object) -> None:
        names.append(self.name)
        visit(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(BoundedCodeGenerator, "visit_Template", recorded)
    return names


def rendered(folder: Path, *, trusted: bool = True) -> str:
    """What another process would draw."""
    environment._COMPILED.clear()
    return Templates([folder], [folder] if trusted else []).render("chess/pawn", {"word": "go"}).svg


def kept(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.name != "pawn.svg.j2"]


def test_a_template_of_the_program_is_compiled_once(folder: Path, sources: list[str]) -> None:
    assert [rendered(folder), rendered(folder)] == ["gogo!", "gogo!"]
    assert sources == [FILE]
    (file,) = kept(folder)
    assert file.parent == folder / "chess/__pycache__"
    assert file.name.startswith("pawn.svg.")


def test_its_dependencies_are_kept_too(folder: Path) -> None:
    rendered(folder)
    environment._COMPILED.clear()
    templates = Templates([folder], [folder])
    assert templates.depends_on("chess/pawn", "word")
    assert not templates.depends_on("chess/pawn", "card")
    assert templates.sandbox.dependencies(FILE).pure_macros == {"twice"}


def test_a_changed_template_is_compiled_anew(folder: Path, sources: list[str]) -> None:
    rendered(folder)
    (folder / FILE).write_text("{{ word }}?", encoding="utf-8")
    assert rendered(folder) == "go?"
    assert sources == [FILE, FILE]


def test_another_version_of_the_program_compiles_anew(
    folder: Path, sources: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered(folder)
    monkeypatch.setattr(compiler, "_compiler", lambda: ("another",))
    assert rendered(folder) == "gogo!"
    assert sources == [FILE, FILE]


@pytest.mark.parametrize("size", [0, 10, 32, 40, 200])
def test_an_incomplete_file_is_replaced(folder: Path, sources: list[str], size: int) -> None:
    rendered(folder)
    (file,) = kept(folder)
    whole = file.read_bytes()
    file.write_bytes(whole[:size])
    assert [rendered(folder), rendered(folder)] == ["gogo!", "gogo!"]
    assert sources == [FILE, FILE]


def test_templates_of_strangers_are_never_kept(folder: Path, sources: list[str]) -> None:
    assert [rendered(folder, trusted=False), rendered(folder, trusted=False)] == ["gogo!", "gogo!"]
    assert sources == [FILE, FILE]
    assert kept(folder) == []


def test_beside_templates_of_strangers_those_of_the_program_are_only_read(folder: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    environment._COMPILED.clear()
    assert Templates([own, folder], [folder]).render("chess/pawn", {"word": "go"}).svg == "gogo!"
    assert kept(folder) == []


def test_nothing_is_kept_if_python_keeps_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert rendered(folder) == "gogo!"
    assert kept(folder) == []


def test_templates_of_a_folder_that_cannot_be_written_are_kept_in_the_cache_of_the_user(
    folder: Path, sources: list[str], tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    (folder / "chess/__pycache__").write_text("not a folder", encoding="utf-8")
    assert [rendered(folder), rendered(folder)] == ["gogo!", "gogo!"]
    assert sources == [FILE]
    (file,) = (cache_folder() / "templates").iterdir()
    file.write_bytes(bytes(32) + file.read_bytes()[32:])  # as if somebody else had written it
    assert rendered(folder) == "gogo!"
    assert sources == [FILE, FILE]
    assert rendered(folder, trusted=False) == "gogo!"
    assert sources == [FILE, FILE, FILE]


def test_it_is_no_mistake_if_nothing_can_be_written(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "chess/__pycache__").write_text("not a folder", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "chess/__pycache__"))
    assert rendered(folder) == "gogo!"
