"""The games in `examples`: each checks clean, builds, stays short, and has odds that are known."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cardgen.builds.builder import Builder
from cardgen.checking.runner import CheckResult
from cardgen.deck.deck import load_deck
from cardgen.print.request import BuildRequest
from cardgen.project_checks.run import CheckRequest, check_project

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
GAMES = {"low-tide": 45, "long-stair": 12, "bramble-watch": 23}
MOST_LINES = 150


@pytest.fixture(params=GAMES)
def example(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A game, whose project is copied to the current folder."""
    name: str = request.param
    shutil.copytree(EXAMPLES / name, tmp_path / name)
    monkeypatch.chdir(tmp_path / name)
    return name


def messages(result: CheckResult) -> list[str]:
    return [f"{one.diagnostic.place} {one.diagnostic.message}" for one in result.findings]


def test_every_example_is_looked_at() -> None:
    assert {path.name for path in EXAMPLES.iterdir() if path.is_dir()} == set(GAMES)


def test_its_game_is_clean(example: str) -> None:
    assert messages(check_project(CheckRequest((Path("games") / example,)))) == []


def test_its_cards_are_clean_and_fit(example: str) -> None:
    result = check_project(CheckRequest(fit=True))
    assert messages(result) == []
    assert sum(entry.card.qty for entry in load_deck(())[1].cards) == GAMES[example]


def test_it_is_built(example: str) -> None:
    Builder(BuildRequest()).build()
    kinds = {entry.kind for entry in load_deck(())[1].cards}
    files = {path.name for path in Path("output").iterdir()}
    assert files == {f"{example}-{kind}-a4.pdf" for kind in kinds}


def test_it_is_short(example: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in Path().rglob("*.yaml") if "templates" not in path.parts]
    assert sum(text.count("\n") for text in texts) < MOST_LINES


def test_its_pictures_are_small(example: str) -> None:
    assert all(path.stat().st_size < 100_000 for path in Path().rglob("*.png"))
