"""Templates are compiled once in a process, whatever sandbox loads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jinja2 import TemplateSyntaxError

from cardgen.face.template.engine import FolderLoader
from cardgen.sandbox import environment
from cardgen.sandbox.environment import Sandbox

SOURCE = "{% import 'macros.svg.j2' as m %}{{ m.twice(card) }} {{ 'b'|upper }}"
MACROS = "{% macro twice(text) %}{{ text }}{{ text }}{% endmacro %}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    kept: dict[Any, Any] = {}
    monkeypatch.setattr(environment, "_COMPILED", kept)
    monkeypatch.setattr(environment.Sandbox, "compiled", kept)
    (tmp_path / "t.svg.j2").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "macros.svg.j2").write_text(MACROS, encoding="utf-8")
    return tmp_path


def sandbox(folder: Path) -> Sandbox:
    return Sandbox(FolderLoader([folder]))


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """The names of the templates that are parsed."""
    names: list[str | None] = []
    parse = Sandbox._parse

    def recorded(self: Sandbox, source: str, name: str | None, filename: str | None) -> object:
        names.append(name)
        return parse(self, source, name, filename)

    monkeypatch.setattr(Sandbox, "_parse", recorded)
    return names


def test_a_second_sandbox_compiles_nothing(folder: Path, parsed: list[str | None]) -> None:
    first, second = sandbox(folder), sandbox(folder)
    for each in (first, second):
        assert each.get_template("t.svg.j2").render(card="a") == "aa B"
    assert parsed == ["t.svg.j2", "macros.svg.j2"]
    for name in ("t.svg.j2", "macros.svg.j2"):
        assert first.dependencies(name) == second.dependencies(name)
    assert second.dependencies("t.svg.j2").names == {"card"}
    assert second.dependencies("macros.svg.j2").pure_macros == {"twice"}


def test_a_changed_file_is_compiled_anew(folder: Path) -> None:
    assert sandbox(folder).get_template("t.svg.j2").render(card="a") == "aa B"
    (folder / "macros.svg.j2").write_text(MACROS.replace("{{ text }}{{ text }}", "2 {{ text }}"), encoding="utf-8")
    assert sandbox(folder).get_template("t.svg.j2").render(card="a") == "2 a B"


def test_an_error_is_raised_each_time(folder: Path) -> None:
    (folder / "t.svg.j2").write_text("{% if %}", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(TemplateSyntaxError) as caught:
            sandbox(folder).get_template("t.svg.j2")
        assert caught.value.filename == str(folder / "t.svg.j2")


def test_without_fast_paths_nothing_is_kept(
    folder: Path, parsed: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "FAST", False)
    for _ in range(2):
        sandbox(folder).get_template("macros.svg.j2")
    assert parsed == ["macros.svg.j2"] * 2


def test_the_cache_is_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "_MAX_COMPILED", 3)
    for number in range(6):
        (folder / f"{number}.svg.j2").write_text(f"{{{{ {number} }}}}", encoding="utf-8")
        assert sandbox(folder).get_template(f"{number}.svg.j2").render() == str(number)
    (folder / "long.svg.j2").write_text("{{ 1 }}" + " " * environment._MAX_CACHED_SOURCE, encoding="utf-8")
    sandbox(folder).get_template("long.svg.j2")
    assert [name for _, name, _ in environment._COMPILED] == [f"{number}.svg.j2" for number in (3, 4, 5)]
