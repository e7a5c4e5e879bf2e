"""The order in which the stages may import each other: this list is the architecture diagram."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "cardgen"

# Down only; the members of one tier never import each other.
TIERS: tuple[tuple[str, ...], ...] = (
    ("pytest_plugin",),
    ("cli", "api"),
    ("pipeline",),
    ("rulesets",),
    ("export",),
    ("reference", "sheet", "face", "checking"),
    ("text", "referee"),
    ("model",),
    ("project",),
    ("validation",),
    ("source",),
    ("runtime",),
    ("diagnostic", "units", "affine", "user_folders"),
)
TIER_OF = {stage: tier for tier, stages in enumerate(TIERS) for stage in stages}
PAPER_LIBRARIES = {"reportlab", "cairosvg", "pikepdf", "pypdfium2"}
FILES = sorted(PACKAGE.rglob("*.py"))


def stage_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_every_stage_has_a_tier() -> None:
    stages = {stage_of(path) for path in FILES} - {"__init__", "__main__"}
    assert stages
    assert stages <= TIER_OF.keys()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_down_only(path: Path) -> None:
    stage = stage_of(path)
    if stage in ("__init__", "__main__"):
        return
    for module in imports(path):
        parts = module.split(".")
        if parts[0] == "cardgen" and len(parts) > 1 and parts[1] in TIER_OF and parts[1] != stage:
            assert TIER_OF[parts[1]] > TIER_OF[stage], f"{path} imports {module}"


def test_only_export_imports_the_paper_libraries() -> None:
    importers = {stage_of(path) for path in FILES if PAPER_LIBRARIES & {name.split(".")[0] for name in imports(path)}}
    assert importers <= {"export"}


def test_a_way_up_is_found(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("from cardgen.cli import main\n", encoding="utf-8")
    assert "cardgen.cli.main" in list(imports(wrong))
