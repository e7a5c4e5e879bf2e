"""The page about games in Python: its example is installed as a stranger would, and does what the page says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cardgen.checking.check import expected_findings, parse_page
from cardgen.reference_sheets.typography import COLOURS, FONTS

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "python-game.md").read_text(encoding="utf-8")
LISTINGS = re.findall(r"^```\w+ (\S+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
MINE = ("cards/", "cardgen.yaml", "templates/")


@pytest.fixture(scope="module")
def ember(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a project; the game lies elsewhere, installed with its entry point."""
    site, project = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("project")
    for name, text in LISTINGS:
        place = (project if name.startswith(MINE) else site) / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    (site / "ember_cards" / "checks" / "__init__.py").touch()
    install(site)
    (project / "site").write_text(str(site), encoding="utf-8")
    return project


def install(site: Path) -> None:
    """What an installer writes from the page's pyproject.toml."""
    toml = (site / "pyproject.toml").read_text(encoding="utf-8")
    name, version = (re.findall(rf'^{key} = "(.*)"', toml, re.MULTILINE)[0] for key in ("name", "version"))
    group, point = re.findall(r'^\[project\.entry-points\."(.*)"\]\n(.*)$', toml, re.MULTILINE)[0]
    folder = site / f"{name.replace('-', '_')}-{version}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    (folder / "entry_points.txt").write_text(f"[{group}]\n{point.replace(chr(34), '')}\n", encoding="utf-8")


def cardgen(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    site = (project / "site").read_text(encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), site))}
    return subprocess.run(
        [sys.executable, "-m", "cardgen", *arguments],
        cwd=project, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def done(project: Path, *arguments: str) -> str:
    outcome = cardgen(project, *arguments)
    assert outcome.returncode == 0, (outcome.stdout, outcome.stderr)
    return outcome.stdout


def test_the_page_has_a_whole_game() -> None:
    assert {name for name, _ in LISTINGS} == {
        "pyproject.toml", "ember_cards/__init__.py", "ember_cards/trials.py", "ember_cards/checks/cold_brave.py",
        "ember_cards/checks/limits.txt", "cards/braves.yaml", "cardgen.yaml", "templates/ember/brave.svg.j2",
        "templates/ember/brave.back.svg.j2", "templates/ember/theme.yaml",
    }  # fmt: skip


def test_the_page_names_what_sheets_need_of_a_theme() -> None:
    assert {*COLOURS, *FONTS} <= set(re.findall(r"[a-z]+", PAGE.partition("## 6. Sheets")[2]))


def test_its_cards_are_listed_and_built(ember: Path) -> None:
    assert re.search(r"brave +ash +1 +Ash", done(ember, "list"))
    assert "2 cards" in done(ember, "build")
    assert (ember / "output" / "ember-brave-a4.pdf").stat().st_size > 5000
    schema = json.loads(done(ember, "schema", "--game", "ember"))
    assert schema["$defs"]["brave.card"]["properties"]["heat"]["maximum"] == 6


def test_its_cards_are_clean_and_new_ones_too(ember: Path) -> None:
    assert "clean" in done(ember, "check", "cards/braves.yaml")
    done(ember, "new", "brave", "Spark")
    assert "heat: 3" in (ember / "cards" / "spark.yaml").read_text(encoding="utf-8")
    (ember / "cards" / "spark.yaml").unlink()


@pytest.mark.parametrize("name", ["ember_cards/checks/cold_brave.py", "ember_cards/checks/limits.txt"])
def test_its_checks_find_their_examples(name: str, ember: Path) -> None:
    text = dict(LISTINGS)[name]
    text = text.split('"""')[1] if name.endswith(".py") else text.partition("\n")[2]
    (example,) = parse_page(text).examples
    (mark,) = expected_findings(example)
    (ember / "wrong.yaml").write_text(example, encoding="utf-8")
    outcome = cardgen(ember, "check", "wrong.yaml", "--format", "json")
    (ember / "wrong.yaml").unlink()
    assert outcome.returncode == 1
    assert mark.code in outcome.stdout
    (ember / "right.yaml").write_text(parse_page(text).instead[0].replace("name: Ash", "name: Coal"), encoding="utf-8")
    assert "clean" in done(ember, "check", "right.yaml")
    (ember / "right.yaml").unlink()


def test_its_trial_is_rolled_and_worked_out(ember: Path) -> None:
    assert "1/2" in done(ember, "trial", "blaze", "Ash", "--wind", "1", "--odds")
    assert "5/6" in done(ember, "trial", "blaze", "Cinder", "--odds")
    assert "100.00 %" in done(ember, "trial", "blaze", "Cinder", "--odds", "--ruling", "sixes=heat")
    rolled = done(ember, "trial", "blaze", "Ash", "--seed", "one", "-o", "kept.jsonl")
    assert "warm" in rolled or "cold" in rolled
    assert "VALID" in done(ember, "verify", "kept.jsonl")


def test_the_program_s_own_games_are_there_too(ember: Path) -> None:
    outcome = cardgen(ember, "rulings", "--game", "embr")
    assert outcome.returncode == 2
    assert "did you mean 'ember'?" in outcome.stderr
    done(ember, "trial", "--game", "warcry", "dice", "--odds")
