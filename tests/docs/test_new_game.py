"""The page about games of one's own: after each chapter, its game checks clean and builds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cardgen.builds.builder import Builder
from cardgen.print.request import BuildRequest
from cardgen.project_checks.run import CheckRequest, check_project
from tests.cli.commands import Program

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "new-game.md").read_text(encoding="utf-8")
CHAPTERS = re.split(r"^## (?=\d)", PAGE, flags=re.MULTILINE)[1:]
GAME = "games/ember/game.yaml"
_LISTING = re.compile(r"^```\w+ (\S+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def sections(text: str) -> dict[str, str]:
    """The top-level keys of a game file, each with its lines."""
    return {match[1]: match[0] for match in re.finditer(r"^(\w+):.*\n(?:(?: .*)?\n)*", text, re.MULTILINE)}


def stages() -> Iterator[tuple[str, dict[str, str]]]:
    """Each chapter, with all files as they are at its end."""
    files: dict[str, str] = {}
    game: dict[str, str] = {}
    for chapter in CHAPTERS:
        for name, text in _LISTING.findall(chapter):
            game |= sections(text) if name == GAME else {}
            files[name] = "".join(game.values()) if name == GAME else text
        yield chapter.partition("\n")[0], dict(files)


STAGES = dict(stages())


def write(files: dict[str, str], root: Path) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_every_chapter_but_the_last_two_adds_something() -> None:
    assert len(STAGES) == 11
    contents = [str(files) for files in STAGES.values()]
    assert len(set(contents)) == len(contents) - 2


@pytest.mark.share(3)
@pytest.mark.parametrize("chapter", [*STAGES][:9])
def test_after_each_chapter_the_game_is_clean_and_builds(
    chapter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(STAGES[chapter], tmp_path)
    monkeypatch.chdir(tmp_path)
    result = check_project(CheckRequest((Path("games/ember"), Path("cards")), fit=True))
    texts = [f"{one.diagnostic.place} {one.diagnostic.message}" for one in result.findings]
    assert texts == []
    Builder(BuildRequest()).build()
    assert (tmp_path / "output" / "ember-brave-a4.pdf").stat().st_size > 3000


@pytest.fixture(scope="module")
def ember(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project at the end of the page."""
    root = tmp_path_factory.mktemp("ember")
    write([*STAGES.values()][-1], root)
    return root


@pytest.fixture
def done(ember: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Return a function that runs a command in the project and returns what it prints."""
    monkeypatch.chdir(ember)

    def run(*arguments: str) -> str:
        outcome = Program(capsys)(*arguments)
        assert outcome.code == 0, outcome
        return outcome.out

    return run


def test_its_trial_is_rolled_and_worked_out(done: Callable[..., str]) -> None:
    table = done("trial", "warm", "Ash", "--odds")
    assert re.search(r"nothing happens +33\.33 % .* 1/3", table)
    assert len(re.findall(r"gains [123] Heat +22\.22 % .* 2/9", table)) == 3
    assert "1/6" in done("trial", "warm", "Cinder", "--odds")
    assert "1/6" not in done("trial", "warm", "Cinder", "--odds", "--ruling", "sixes=heat")
    assert re.search(r"nothing happens|gains", done("trial", "warm", "Ash", "--bonus", "1", "--seed", "monday"))


def test_its_list_has_a_pack(ember: Path, done: Callable[..., str]) -> None:
    done("build", "--warband", "The Last Hearth", "-o", "pack")
    assert {path.name for path in (ember / "pack").glob("*.pdf")} == {
        "the-last-hearth-cards-a4.pdf", "the-last-hearth-proxies-a4.pdf", "the-last-hearth-roster-a4.pdf",
    }  # fmt: skip


def test_its_pieces_and_its_sheet_are_built(ember: Path, done: Callable[..., str]) -> None:
    done("build", "--kit", "-o", "kit")
    kinds = {"brave", "band", "heat-token", "figure", "blank", "tape"}
    assert {path.name for path in (ember / "kit").glob("*.pdf")} == {f"ember-{kind}-a4.pdf" for kind in kinds}
    done("reference", "summary", "-o", "sheets")
    assert (ember / "sheets" / "ember-summary-a5.pdf").is_file()


def test_its_check_has_a_page(done: Callable[..., str]) -> None:
    assert "Nobody can give what they do not have." in done("check", "--explain", "EM301")
    assert "clean" in done("check", "games/ember")
