"""What a run of the program loads: nothing that it does not need, so that it starts fast."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Libraries and parts of the program that a check of a card does not need, whatever its game.
HEAVY = {"reportlab", "cairosvg", "pikepdf", "pypdfium2", "uharfbuzz", "PIL", "importlib.metadata", "asyncio", "dask"}
HEAVY |= {f"cardgen.{name}" for name in ("cluster", "export", "pipeline.build", "pipeline.release", "runtime.cluster")}
# What only some cards need: expressions, odds by play, sentences that are written or read, models of pieces.
RARE = {"jinja2", "cardgen.referee.odds", "cardgen.grammar", "cardgen.rulesets.pieces", "cardgen.rulesets.accessories"}
FIGHTER = (
    "game: warcry\nkind: fighter\nname: Guard\nfaction: cities-of-sigmar\nrunemarks: [hero]\npoints: 100\n"
    "stats: {M: 5, T: 4, W: 12}\nweapons: [Saber: sword R1 A3 S4 D1/4]\n"
)
RELIC = "kind: relic\nname: Sun Stone\neffects: [{when: turn_start, bearer: {heal: 1}}]\nmotto: so so\n"
DISK = "game: diskwars\nkind: terrain\nname: Bog\n"


def loaded_by(arguments: list[str], folder: Path) -> set[str]:
    """Return the modules that a run of the program in a folder loads, and the packages that contain them."""
    script = (
        f"import atexit, sys; from cardgen.cli import main; sys.argv[1:] = {arguments}; "
        "atexit.register(lambda: print(*sys.modules)); main()"
    )
    environment = {"PYTHONPATH": str(ROOT), "PATH": "", "SYSTEMROOT": "", "XDG_CACHE_HOME": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    ("arguments", "card", "game", "unneeded"),
    [
        (["check"], RELIC, "warniris", RARE),
        (["check"], FIGHTER, "warcry", RARE),
        (["check"], DISK, "diskwars", {"cardgen.referee.odds", "cardgen.game_file.trial.game_trials"}),
        (["list"], FIGHTER, "warcry", {*RARE, "cardgen.checking.runner"}),
        (["--help"], RELIC, "", {*RARE, "pydantic", "yaml", "cardgen.model"}),
        (["roll", "2D6"], RELIC, "", {*RARE, "pydantic", "yaml", "cardgen.model"}),
    ],
    ids=lambda value: value if isinstance(value, str) and "\n" not in value else "",
)
def test_a_run_loads_nothing_that_it_does_not_need(
    tmp_path: Path, arguments: list[str], card: str, game: str, unneeded: set[str]
) -> None:
    """Nothing that draws, no other game, and not what pydantic would look for its plugins with."""
    (tmp_path / "card.yaml").write_text(card, encoding="utf-8")
    loaded = loaded_by(arguments, tmp_path)
    assert not game or f"cardgen.rulesets.{game}" in loaded
    assert loaded & (HEAVY | unneeded) == set()
    others = {"warniris", "warcry", "skirmish", "diskwars"} - {game}
    assert not loaded & {f"cardgen.rulesets.{other}" for other in others}


# What a build needs only for mistakes, drawings as templates, pieces, presses, and sheets other than grids.
RARE_IN_BUILDS = {
    f"cardgen.{name}"
    for name in (
        "checking",
        "export.press",
        "face.inkscape.convert",
        "face.svg_mistakes",
        "face.template.mistakes.report",
        "rulesets.accessories",
        "rulesets.pieces",
        "sheet.cut_list",
        "sheet.disk_sheet",
        "sheet.gang_sheet",
        "sheet.guillotine_packing",
        "sheet.sprue_file",
    )
}


def test_a_build_loads_nothing_that_few_builds_need(tmp_path: Path) -> None:
    (tmp_path / "card.yaml").write_text(RELIC, encoding="utf-8")
    loaded = loaded_by(["build", "-q", "-j", "1"], tmp_path)
    assert (tmp_path / "output/warniris-relic-a4.pdf").is_file()
    assert not loaded & {*RARE_IN_BUILDS, "PIL.ImageCms", "PIL.ImageOps"}
