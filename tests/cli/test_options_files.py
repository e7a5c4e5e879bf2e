"""A folder with a cardgen.yaml that is named is the project, as if it were the current folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import Program
from tests.projects import MINION, Folder

EXAMPLES = Path(__file__).parents[2] / "examples"
FIGHTER = (
    "kind: fighter\nname: {name}\nfaction: order\npoints: 100\n"
    "stats: {{M: 4, T: {toughness}, W: 12}}\nweapons: [{{Axe: axe R1 A3 S4 D2/4}}]\n"
)


@pytest.fixture
def elsewhere(folder: Folder) -> Folder:
    """A folder without settings, with a project of Warcry in it."""
    folder.write("q/cardgen.yaml", "game: warcry\npaper: letter\nbacks: none\n")
    folder.write("q/cards/ash.yaml", FIGHTER.format(name="Ash", toughness=4))
    folder.write("q/cards/bob.yaml", FIGHTER.format(name="Bob", toughness=5))
    (folder.root / "cardgen.yaml").unlink(missing_ok=True)
    return folder


@pytest.mark.parametrize("path", ["q", "q/", "./q", "q/cards", "q/cards/ash.yaml"])
def test_a_build_uses_the_settings_of_the_project_that_is_named(elsewhere: Folder, cardgen: Program, path: str) -> None:
    outcome = cardgen("build", path)
    assert outcome.code == 0, outcome.err
    assert [name for name in elsewhere.files() if name.endswith("-letter.pdf")]
    elsewhere.write("q/cardgen.yaml", "game: warcry\npaper: a4\n")
    assert cardgen("build", path).code == 0
    assert [name for name in elsewhere.files() if name.endswith("-a4.pdf")]


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "q"),
        ("check", "--fit", "q"),
        ("list", "q"),
        ("explain", "--cards", "q"),
        ("balance", "q"),
        ("attack", "--cards", "q", "Ash", "Bob", "--odds"),
        ("trial", "attack", "--cards=q", "Ash", "Bob", "--odds"),
        ("table", "export", "fighter", "q"),
        ("reference", "--list", "--cards", "q"),
    ],
)
def test_all_commands_use_the_project_that_is_named(
    elsewhere: Folder, cardgen: Program, arguments: tuple[str, ...]
) -> None:
    outcome = cardgen(*arguments)
    assert outcome.code == 0, outcome.err + outcome.out
    assert "arniris" not in outcome.out


def test_a_change_of_the_settings_of_a_named_project_is_seen(elsewhere: Folder, cardgen: Program) -> None:
    assert cardgen("check", "q").code == 0
    elsewhere.write("q/cardgen.yaml", "game: warcry\npapper: letter\n")
    assert "q/cardgen.yaml:2:1" in cardgen("check", "q").out


def test_a_named_example_knows_its_own_game(folder: Folder, cardgen: Program) -> None:
    outcome = cardgen("check", str(EXAMPLES / "long-stair"))
    assert outcome.code == 0, outcome.out


def test_the_project_of_the_current_folder_comes_second(elsewhere: Folder, cardgen: Program) -> None:
    elsewhere.write("cardgen.yaml", "game: warniris\n")
    elsewhere.write("cards/stone.yaml", "kind: relic\nname: Stone\neffects: [{when: turn_start, bearer: {heal: 1}}]\n")
    assert "relic" in cardgen("list").out
    assert "fighter" in cardgen("list", "q").out
    outcome = cardgen("list", "q", "cards")
    assert outcome.code == 2
    assert "the paths belong to 2 projects" in outcome.err


@pytest.fixture
def loose(folder: Folder) -> Folder:
    """A folder without settings, with card files of two games that name their game."""
    (folder.root / "cardgen.yaml").unlink(missing_ok=True)
    folder.write("q/ash.yaml", "game: warcry\n" + FIGHTER.format(name="Ash", toughness=4))
    folder.write("q/bob.yaml", "game: warcry\n" + FIGHTER.format(name="Bob", toughness=5))
    folder.write(
        "r/stone.yaml", "game: warniris\nkind: relic\nname: Stone\neffects: [{when: turn_start, bearer: {heal: 1}}]\n"
    )
    folder.write("s/pike.yaml", "game: skirmish\nkind: weapon\nname: Long Pike\nbonus: 1\n")
    return folder


@pytest.mark.parametrize(
    "arguments",
    [
        ("balance", "q"),
        ("attack", "--cards", "q", "Ash", "Bob", "--odds"),
        ("trial", "attack", "--cards=q", "Ash", "Bob", "--odds"),
        ("duel", "--cards", "q", "Ash", "Bob"),
        ("reference", "--list", "--cards", "q"),
        ("reference", "--cards", "q", "play-reference"),
    ],
)
def test_the_game_follows_from_the_cards_that_are_named(
    loose: Folder, cardgen: Program, arguments: tuple[str, ...]
) -> None:
    outcome = cardgen(*arguments)
    assert outcome.code == 0, outcome.err + outcome.out
    assert "arniris" not in outcome.out
    given = cardgen(*arguments, "--game", "warcry")
    assert [line for line in given.out.splitlines() if " in " not in line] == [
        line for line in outcome.out.splitlines() if " in " not in line
    ]


@pytest.mark.parametrize(
    "arguments",
    [("reference", "--cards"), ("reference", "--list", "--cards"), ("attack", "A", "B", "--cards"), ("balance",)],
)
def test_named_cards_of_several_games_need_an_option(
    loose: Folder, cardgen: Program, arguments: tuple[str, ...]
) -> None:
    outcome = cardgen(*arguments, ".")
    assert outcome.code == 2
    assert "the cards are of several games: warcry, warniris, and skirmish" in outcome.err
    assert "help: choose one with --game" in outcome.err
    assert not list(loose.root.glob("output/*"))


def test_an_option_comes_before_the_game_of_the_cards(loose: Folder, cardgen: Program) -> None:
    assert "last-stand" in cardgen("reference", "--list", "--cards", "q", "--game", "warniris").out


@pytest.mark.parametrize(
    "arguments",
    [
        ("build", "--only", "Ash", "Bob Oak"),
        ("export", "tts", "--only", "Ash", "Bob Oak"),
        ("fix", "--only", "Ash", "Bob Oak"),
        ("check", "--ignore", "CG201", "Bob Oak"),
    ],
)
def test_a_second_value_that_is_taken_for_a_path_is_told(
    folder: Folder, cardgen: Program, arguments: tuple[str, ...]
) -> None:
    outcome = cardgen(*arguments)
    flag = arguments[-3]
    assert outcome.code == 2
    assert f"no such file or folder 'Bob Oak'; if it is a value, repeat {flag} before it" in outcome.err


def test_a_folder_with_a_slip_is_no_second_value(folder: Folder, cardgen: Program) -> None:
    folder.write("cards/ash.yaml", MINION)
    assert "did you mean 'cards'?" in cardgen("build", "cardz", "--format", "png").err
