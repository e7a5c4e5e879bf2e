"""The games of a project: found, kept apart from those of other projects, and never instead of installed ones."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

import cardgen
from cardgen.builds.builder import Builder
from cardgen.deck.deck import load_deck
from cardgen.diagnostic import CardgenError, UnknownName
from cardgen.face.template.engine import Templates
from cardgen.print.request import BuildRequest
from cardgen.project.files import trusted_folders
from cardgen.project.project import Project
from cardgen.project_checks.services import all_checks
from cardgen.rulesets.ruleset import Ruleset, games, ruleset
from cardgen.runtime import workspace
from cardgen.runtime.workspace import MOST_GAMES, Workspace, find_games
from cardgen.scaffold.cards import new_project
from tests.cli.commands import process
from tests.game_file.games import BRAVE, HEADER, findings, write_game

CARD = "kind: brave\nname: Ash\nheat: 4\n"


def two_projects(root: Path) -> tuple[Path, Path]:
    """Two projects with different games of the same id."""
    one, other = root / "one", root / "other"
    write_game(one, HEADER + BRAVE, a=CARD)
    write_game(other, (HEADER + BRAVE).replace("max: 6", "max: 3").replace("Ember", "Other"), a=CARD.replace("4", "2"))
    return one, other


def name_of(game: str = "ember", folder: Path | None = None) -> str:
    rules = ruleset(game, Workspace(folder).with_games())
    return rules.name if isinstance(rules, Ruleset) else str(rules)


def test_the_game_of_the_current_project_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, _ = two_projects(tmp_path)
    assert isinstance(ruleset("ember"), UnknownName)
    monkeypatch.chdir(one / "cards")
    assert "ember" in games(Workspace().with_games())
    assert name_of() == "Ember"


def test_projects_are_kept_apart(tmp_path: Path) -> None:
    one, other = two_projects(tmp_path)
    for _ in range(2):
        assert (name_of(folder=one), findings(one)) == ("Ember", [])
        assert (name_of(folder=other), findings(other)) == ("Other", [])
    assert isinstance(ruleset("ember", Project.find(tmp_path).workspace), UnknownName)
    assert "ember" not in games()


def test_calls_of_the_api_leave_no_games_behind(tmp_path: Path) -> None:
    one, other = two_projects(tmp_path)
    decks = [cardgen.load(folder / "cards") for folder in (one, other)]
    pictures = [cardgen.render(deck[0]) for deck in (*decks, *decks)]
    assert pictures[:2] == pictures[2:]
    assert pictures[0] != pictures[1]
    assert cardgen.check(one / "cards", select="EM101") == []
    assert isinstance(ruleset("ember"), UnknownName)


def test_threads_work_on_projects_of_their_own(tmp_path: Path) -> None:
    """Two projects with games of the same name and different rules: loads, checks, builds, and trials at once."""
    trial = """
trials:
  hop:
    asks: {brave: {type: card, kind: brave}}
    steps:
      - test: {dice: 1d6, up_to: brave.heat, name: to hop}
      - end: "{{ 'up' if passed else 'down' }}"
"""
    found: dict[str, set[tuple[object, ...]]] = {"one": set(), "other": set()}
    folders = two_projects(tmp_path)
    for folder in folders:
        game = folder / "games" / "ember" / "game.yaml"
        game.write_text(game.read_text(encoding="utf-8") + trial, encoding="utf-8")
        (folder / "cards" / "b.yaml").write_text("kind: brave\nname: Birch\nheat: 5\n", encoding="utf-8")
    failures: list[BaseException] = []

    def work(folder: Path) -> None:
        try:
            for turn in range(3):
                (folder / "cards" / "b.yaml").touch()
                codes = tuple(str(each.message) for each in cardgen.check(folder / "cards"))
                deck = cardgen.load(folder / "cards" / "a.yaml")
                result = cardgen.build(folder / "cards" / "a.yaml", folder / f"out-{turn}", formats="svg", backs="none")
                (picture,) = [path.read_bytes() for path in result.files]
                odds = cardgen.odds("hop", game="ember", brave=deck[0], paths=folder / "cards" / "a.yaml")
                found[folder.name].add((codes, picture, str(odds.parts)))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(folder,)) for folder in folders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    (one,), (other,) = found["one"], found["other"]
    assert one[0] == ()
    assert other[0] == ("must be between 1 and 3, not 5",)
    assert all(mine != theirs for mine, theirs in zip(one, other, strict=True))


@pytest.mark.parametrize("game", ["warniris", "warcry"])
def test_installed_games_cannot_be_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    monkeypatch.chdir(tmp_path)
    write_game(tmp_path, HEADER + BRAVE, game=game)
    with pytest.raises(CardgenError, match=rf"games/{game}/game.yaml: error\[CG034\]: the game '{game}' is installed"):
        Project.find()
    assert name_of(game) != "Ember"


@pytest.mark.parametrize("name", ["Ember", "ember_2", "no game"])
def test_the_folder_of_a_game_is_an_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    write_game(tmp_path, HEADER + BRAVE, game=name)
    with pytest.raises(CardgenError, match=r"error\[CG034\]: '.*' is not a valid id of a game"):
        Project.find()


def test_links_out_of_the_project_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = two_projects(tmp_path)
    (one / "games" / "stolen").symlink_to(other / "games" / "ember")
    monkeypatch.chdir(one)
    assert list(find_games(one)) == ["ember"]
    with pytest.raises(CardgenError, match=r"games/stolen/game.yaml: error\[CG023\]"):
        Project.find()


def test_a_link_to_itself_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_game(tmp_path))
    (tmp_path / "games" / "loop").symlink_to(tmp_path / "games" / "loop")
    assert list(find_games(tmp_path)) == ["ember"]
    (tmp_path / "games" / "ember" / "game.yaml").unlink()
    (tmp_path / "games" / "ember" / "game.yaml").symlink_to("game.yaml")
    with pytest.raises(CardgenError, match="the link points to itself"):
        Project.find()


def test_only_so_many_games_are_looked_at(tmp_path: Path) -> None:
    for number in range(MOST_GAMES + 5):
        folder = tmp_path / "games" / f"game{number:03}"
        folder.mkdir(parents=True)
        (folder / "game.yaml").touch()
    assert len(find_games(tmp_path)) == MOST_GAMES
    with pytest.raises(CardgenError, match="a project can have at most 50 games"):
        Project.find(tmp_path)


def test_several_games_share_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_game(tmp_path, HEADER + BRAVE, a=CARD, b="game: cinder\n" + CARD.replace("Ash", "Soot"))
    write_game(tmp_path, (HEADER + BRAVE).replace("game: ember", "game: cinder").replace("EM", "CI"), game="cinder")
    (tmp_path / "cardgen.yaml").write_text("game: ember\n", encoding="utf-8")
    assert findings(tmp_path) == []
    assert [(entry.game, entry.card.name) for entry in load_deck(())[1].cards] == [("ember", "Ash"), ("cinder", "Soot")]


@pytest.mark.parametrize("folder", ["games", "releases", "services", "data"])
def test_folders_for_other_purposes_hold_no_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ash.yaml").write_text("kind: relic\nname: Sun Stone\ntext: Shines.\n", encoding="utf-8")
    (tmp_path / folder / "x").mkdir(parents=True)
    (tmp_path / folder / "x" / "moon.yaml").write_text("kind: relic\nname: Moon Stone\n", encoding="utf-8")
    assert [entry.card.name for entry in load_deck(())[1].cards] == ["Sun Stone"]


def test_watching_sees_a_changed_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_game(tmp_path, a=CARD))
    builder = Builder(BuildRequest(output=tmp_path / "output", formats=("svg",), backs="none"))
    assert len(builder.build().written) == 1
    assert builder.build().written == ()
    template = tmp_path / "games" / "ember" / "templates" / "brave.svg.j2"
    template.write_text(template.read_text(encoding="utf-8").replace('x="4"', 'x="5"'), encoding="utf-8")
    assert len(builder.build().written) == 1
    write_game(tmp_path, (HEADER + BRAVE).replace("size: mini-usa", "size: poker"))
    assert len(builder.build().written) == 1


def test_workers_print_the_cards_of_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cards = "".join(f"- {{name: Ash {number}, heat: {number % 6 + 1}}}\n" for number in range(80))
    monkeypatch.chdir(write_game(tmp_path, a=f"kind: brave\ncards:\n{cards}"))
    one, many = tmp_path / "one", tmp_path / "many"
    for output, jobs in ((one, 1), (many, 3)):
        result = Builder(BuildRequest(output=output, formats=("png",), dpi=40, backs="none", jobs=jobs)).build()
        assert len(result.files) == 80
    pictures = [sorted(folder.rglob("*.png")) for folder in (one, many)]
    assert [path.read_bytes() for path in pictures[0]] == [path.read_bytes() for path in pictures[1]]


def test_caches_depend_on_the_game_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_game(tmp_path / "project", a=CARD))
    for path in tmp_path.rglob("*"):  # settled, so that caches are used
        os.utime(path, (1, 1))
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    assert [process("check", **environment).code for _ in range(2)] == [0, 0]
    assert [process("build", **environment).code for _ in range(2)] == [0, 0]
    write_game(tmp_path / "project", (HEADER + BRAVE).replace("max: 6", "max: 3"))
    assert "must be between 1 and 3" in process("check", **environment).out
    assert "must be between 1 and 3" in process("build", **environment).err


def test_a_game_of_the_program_can_be_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_game(tmp_path / "source")
    (tmp_path / "package").mkdir()
    (tmp_path / "source" / "games").rename(tmp_path / "package" / "rulesets")
    monkeypatch.setattr(workspace, "PACKAGE", tmp_path / "package")
    workspace.program_game_files.cache_clear()
    try:
        monkeypatch.chdir(tmp_path / "source")
        (tmp_path / "source" / "cards" / "a.yaml").write_text(CARD, encoding="utf-8")
        assert name_of() == "Ember"
        assert findings(tmp_path / "source") == []
        project = Project.find()
        assert Templates(project.template_folders(), trusted_folders()).are_trusted
        assert len(Builder(BuildRequest(output=tmp_path / "output", backs="none")).build().files) == 1
        write_game(tmp_path / "source")
        with pytest.raises(CardgenError, match="the game 'ember' is installed and cannot be replaced"):
            Project.find()
    finally:
        workspace.program_game_files.cache_clear()


def test_a_new_project_cannot_use_the_game_of_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_game(tmp_path))
    with pytest.raises(CardgenError, match="the game 'ember' belongs to the project of this folder"):
        new_project(tmp_path / "new", "ember")


def test_games_do_not_share_codes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_game(tmp_path, (HEADER + BRAVE).replace("EM", "WN"), a=CARD))
    with pytest.raises(CardgenError, match=r"the game 'ember' has the code WN101, which belongs to 'warniris'"):
        all_checks(Workspace().with_games())
