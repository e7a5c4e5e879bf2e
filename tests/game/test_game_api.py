"""The public API for games: the games use nothing else, it loads nothing early, and its page explains all of it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

import pytest

from cardgen import game
from tests.cases import each_case

ROOT = Path(__file__).parent.parent.parent
RULESETS = ROOT / "cardgen" / "rulesets"
GAMES = tuple(sorted(path.parent.name for path in RULESETS.glob("*/__init__.py")))
EXEMPT: tuple[str, ...] = ()
FILES = [
    path
    for name in GAMES
    for path in sorted((RULESETS / name).rglob("*.py"))
    if not set(path.relative_to(RULESETS / name).parts) & set(EXEMPT)
]
PAGE = (ROOT / "docs" / "python-game.md").read_text(encoding="utf-8")
NAMES = (ROOT / "docs" / "reference" / "cardgen-game.md").read_text(encoding="utf-8")
HEAVY = (
    "checking",
    "export",
    "face",
    "deck",
    "print",
    "matches",
    "reference",
    "sheet",
    "referee.odds",
    "rulesets.reference",
)


def imported(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def lazy_imports() -> dict[str, set[str]]:
    """What a type checker sees of the modules that are loaded at first use."""
    tree = ast.parse(Path(game.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    return {
        node.module: {alias.name for alias in node.names}
        for node in block.body
        if isinstance(node, ast.ImportFrom) and node.module
    }


def test_there_are_files_to_look_at() -> None:
    assert len(FILES) > 50


@each_case("path", FILES, ids=lambda path: str(path.relative_to(RULESETS)))
def test_a_game_imports_the_public_api_and_itself_only(path: Path) -> None:
    own = f"cardgen.rulesets.{path.relative_to(RULESETS).parts[0]}"
    program = {name for name in imported(path.read_text(encoding="utf-8")) if name.split(".")[0] == "cardgen"}
    assert {name for name in program if name != "cardgen.game" and f"{name}.".startswith(f"{own}.") is False} == set()


def test_the_listings_of_the_page_import_nothing_else() -> None:
    listings = re.findall(r"^```python \S+\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    modules = {name for listing in listings for name in imported(listing) if name.startswith("cardgen")}
    assert modules == {"cardgen.game"}


def test_a_type_checker_sees_what_is_loaded_at_first_use() -> None:
    lazy = {module: set(names.split()) for module, names in game._LAZY_MODULES.items()}
    assert lazy_imports() == {**lazy, "cardgen.rulesets": {*game._LAZY_PARTS}}


@each_case("name", game.__all__)
def test_every_name_is_there_and_documented(name: str) -> None:
    value = getattr(game, name)
    if isinstance(value, type | FunctionType) and value.__module__.startswith("cardgen"):
        assert value.__doc__
    assert f"| `{name}` | " in NAMES


def test_a_name_that_is_not_there_is_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Crad'"):
        getattr(game, "Crad")  # noqa: B009 - mypy would refuse it


def test_nothing_heavy_is_loaded_before_it_is_used() -> None:
    script = "import sys, cardgen.game; print(*sys.modules)"
    names = [sys.executable, "-c", script]
    loaded = set(subprocess.run(names, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split())
    assert "cardgen.game" in loaded
    assert not {name for name in loaded for each in HEAVY if f"{name}.".startswith(f"cardgen.{each}.")}
