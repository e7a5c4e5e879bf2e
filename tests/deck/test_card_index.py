"""Runs that read only the files that the index names give the same as runs that read all of them."""

from __future__ import annotations

import random
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cardgen.deck import card_index
from cardgen.deck.deck import indexed_sources
from cardgen.model import deck as decks
from cardgen.model.deck import FileCards
from cardgen.project.project import Project
from cardgen.runtime import fingerprint
from cardgen.runtime.user_folders import cache_folder
from tests.cli.commands import Outcome, Program
from tests.projects import Folder
from tests.random_cases import dice_for, number_of_cases

SETTINGS = "game: skirmish\n"
NAMES = ("Ash", "Birch", "Cedar", "Dogwood", "Elm")
WEAPONS = ("Billhook", "Crook", "Halberd")
ATTACK = ("attack", "Ash", "Birch", "--odds")
LISTS = (
    ("list",),
    ("list", "--json", "cards/b.yaml", "cards/deep", "cards/a.yaml"),
    ("list", "--only", "ash", "--only", "weapon"),
)
BUILD = ("build", "--only", "Ash", "--only", "elm", "--format", "svg", "-q", "-j", "1", "-o")
SHOW = ("show", "Cedar", "--no-open", "-o", "cedar.svg")
CHECKS = (("check", "cards/a.yaml"), ("check", "cards/deep", "cards/b.yaml", "--format", "json"))
COMMANDS = (
    *LISTS,
    *CHECKS,
    ATTACK,
    ("attack", "cedar", "Crook", "elm", "--odds"),
    ("attack", "Ash", "The Drowned Margrave", "--odds"),
)
FIELDS = "kinds: {warrior: {fields: {origin: {type: text}}}}\n"
GAME = "cardgen: 1\ngame: rival\nname: Rival\nkinds:\n  warrior: {}\n  thing: {}\n"


def warrior(name: str, *weapons: str, more: str = "") -> str:
    arms = f", weapons: [{', '.join(weapons)}]" if weapons else ""
    stats = "race: Elves, rank: hero, m: 4, ws: 3, bs: 3, s: 3, t: 3, w: 1, i: 3, a: 1, ld: 7, points: 20"
    return f"- {{kind: warrior, name: {name}, {stats}{arms}{more}}}\n"


def cards(*entries: str) -> str:
    return "cards:\n" + "".join(entries)


@pytest.fixture
def project(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """A project whose index is stored although its files are new."""
    monkeypatch.setattr(card_index, "SETTLED_NS", 0)
    monkeypatch.setattr(fingerprint, "MOST_FILES", 0)  # no report is kept
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder.root.parent / "cache"))
    folder.write("cardgen.yaml", SETTINGS)
    folder.write("cards/a.yaml", cards(warrior("Ash", "Billhook"), warrior("Cedar", "Crook")))
    folder.write("cards/b.yaml", cards(warrior("Birch", "Billhook"), warrior("Elm")))
    folder.write("cards/deep/arms.yaml", cards("- {kind: weapon, name: Billhook, bonus: 1, hands: 2}\n"))
    folder.write("cards/deep/more.yaml", cards("- {kind: weapon, name: Crook, bonus: 2}\n"))
    folder.write("cards/other.yaml", cards(warrior("Dogwood", "Crook"), warrior("Fir", "Halberd")))
    return folder


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are read, in order."""
    names: list[str] = []
    read_file = decks._read_file

    def spy(project: Project, file: Path, *given: Any) -> FileCards:
        names.append(file.name)
        return read_file(project, file, *given)

    monkeypatch.setattr(decks, "_read_file", spy)
    return names


def stored() -> bytes:
    return b"".join(file.read_bytes() for file in (cache_folder() / "index").iterdir())


def plain(program: Program, *arguments: str) -> Outcome:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(card_index, "FAST", False)
        return program(*arguments)


def test_only_the_files_of_cards_and_of_what_they_name_are_read(
    project: Folder, program: Program, read: list[str]
) -> None:
    first = program(*ATTACK)
    assert first.code == 0, first.err
    assert {"a.yaml", "b.yaml", "other.yaml", "arms.yaml", "more.yaml"} <= {*read}
    read.clear()
    assert program(*ATTACK) == first
    assert {*read} - {"armory.yaml"} == {"a.yaml", "b.yaml", "arms.yaml", "more.yaml"}
    read.clear()
    project.write("cards/other.yaml", cards(warrior("Dogwood")))
    assert program(*ATTACK) == first
    assert "other.yaml" in read


def test_errors_in_files_that_are_not_needed_are_left_to_check(project: Folder, program: Program) -> None:
    first = program(*ATTACK)
    project.write("cards/other.yaml", "cards: [")
    assert program(*ATTACK) == first
    assert program("check", "--no-cache").code == 1
    outcome = program("attack", "Ash", "Dogwood")  # it could be in the file that cannot be read
    assert outcome.code != 0
    assert "other.yaml" in outcome.err
    project.write("cards/deep/arms.yaml", cards("- {kind: weapon, name: Billhook, bonus: none}\n"))
    assert "arms.yaml" in program(*ATTACK).err


def test_what_several_cards_are_called_is_an_error_of_the_card_that_names_them(
    project: Folder, program: Program
) -> None:
    assert program(*ATTACK).code == 0
    project.write("cards/z.yaml", cards("- {kind: weapon, name: Billhook, id: other, bonus: 3}\n"))
    assert "ambiguous reference 'Billhook'" in program(*ATTACK).err


def test_settings_that_change_while_files_are_read_do_not_count_as_those_of_the_index(
    project: Folder, program: Program
) -> None:
    opened = Project.find(project.root)
    project.write("cardgen.yaml", SETTINGS + FIELDS)
    assert indexed_sources(opened, opened.find_card_files())[0]("").index
    outcome = program("list")
    assert "missing key 'origin'" in outcome.err
    assert outcome == plain(program, "list")


def test_an_index_of_somebody_else_is_not_used(project: Folder, program: Program, read: list[str]) -> None:
    outcome = program(*ATTACK)
    for file in (cache_folder() / "index").iterdir():
        file.write_bytes(bytes(32) + file.read_bytes()[32:])
    read.clear()
    assert program(*ATTACK) == outcome
    assert "other.yaml" in read


def test_an_index_that_cannot_be_written_changes_nothing(
    project: Folder, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = project.write("blocked", "")
    monkeypatch.setattr(fingerprint, "MOST_FILES", 0)  # no report is kept
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert program(*ATTACK) == plain(program, *ATTACK)


def edited(text: str, dice: random.Random) -> str:
    """A text of cards with one change: another name or weapon, another card, a mistake."""
    one, other = dice.choice(NAMES), dice.choice(NAMES)
    return dice.choice(
        (
            text.replace(one, other),
            text.replace(dice.choice(WEAPONS), dice.choice((*WEAPONS, "Nothing"))),
            text + warrior(one, dice.choice(WEAPONS), more=dice.choice(("", ", id: twin"))),
            text + "  - [",
            text.replace("kind", "knd"),
            text.replace("s: 3", "s: x"),
        )
    )


def change(folder: Folder, dice: random.Random, originals: Mapping[Path, str]) -> str:
    """Change a project at random, or mend it, and return what was done."""
    files = sorted((folder.root / "cards").rglob("*.yaml")) or [folder.write("cards/a.yaml", "")]
    file, what = dice.choice(files), dice.choice(("edit",) * 4 + ("move", "copy", "delete", "settings", "game", "mend"))
    to = file.with_name(f"{dice.choice('mnopq')}.yaml")
    match what:
        case "edit":
            file.write_text(edited(file.read_text(), dice))
        case "move":
            file.rename(to)
        case "copy":
            to.write_text(file.read_text())
        case "delete":
            file.unlink()
        case "settings":
            folder.write(
                "cardgen.yaml", dice.choice((SETTINGS, SETTINGS + FIELDS, "game: rival\n", "game: none\n", ""))
            )
        case "game":
            folder.write("games/rival/game.yaml", dice.choice((GAME, GAME.replace("thing", "weapon"))))
        case _:
            shutil.rmtree(folder.root / "cards")
            for path, original in originals.items():
                folder.write(str(path), original)
    return f"{what} {file.name}"


@pytest.mark.fuzz
def test_runs_with_and_without_an_index_are_the_same(project: Folder, program: Program) -> None:
    dice = dice_for("index of cards")
    originals = {
        path: path.read_text() for path in [*(project.root / "cards").rglob("*.yaml"), project.root / "cardgen.yaml"]
    }
    works = 0
    for _ in range(number_of_cases(40, 0.01)):
        done = change(project, dice, originals)
        for command in dice.sample(COMMANDS, 2):
            indexed = program(*command)
            assert indexed == plain(program, *command), (done, command)
            works += indexed.code == 0
    assert works > 2


def test_a_list_is_printed_without_reading_cards(project: Folder, program: Program, read: list[str]) -> None:
    first = [program(*each) for each in LISTS]
    read.clear()
    assert [program(*each) for each in LISTS] == first
    assert read == []
    assert [plain(program, *each) for each in LISTS] == first
    assert "cards/other.yaml:3:25" in first[0].out
    moved = project.root / "cards/deep"
    moved.rename(project.root / "cards/arms")
    assert [program(*each) for each in LISTS] == [plain(program, *each) for each in LISTS]


def test_a_check_of_a_file_reads_the_others_only_to_compare_cards_of_its_kinds(
    project: Folder, program: Program, read: list[str]
) -> None:
    arms = ("check", "cards/deep/arms.yaml")
    for file, name in (("arms", "Billhook"), ("more", "Crook")):
        text = "cuts what it holds and holds what it cuts"
        project.write(f"cards/deep/{file}.yaml", cards(f"- {{kind: weapon, name: {name}, bonus: 2, text: {text}}}\n"))
    first = program(*arms)
    assert "does exactly what 'Crook' does" in first.out
    read.clear()
    assert program(*arms) == first
    assert {"a.yaml", "b.yaml", "other.yaml"}.isdisjoint(read)
    assert {"arms.yaml", "more.yaml"} <= {*read}
    assert plain(program, *arms) == program(*arms, "--no-cache") == first
    project.write("cards/deep/arms.yaml", cards("- {kind: weapon, name: Billhook, bonus: none}\n"))
    assert program(*arms) == plain(program, *arms)
    assert program(*arms).code == 1


def test_a_build_of_some_cards_reads_only_these(project: Folder, program: Program, read: list[str]) -> None:
    for _ in range(2):
        read.clear()
        outcome = program(*BUILD, "indexed")
        assert outcome.code == 0, outcome.err
    assert "other.yaml" not in read
    assert program("build", *BUILD[1:-1], "-o", "without", "--no-cache").code == 0
    assert "other.yaml" in read
    assert plain(program, *BUILD, "plain").code == 0
    names = project.files("plain")
    assert names
    for folder in ("indexed", "without"):
        assert project.files(folder) == names
        for name in names:
            assert (project.root / folder / name).read_bytes() == (project.root / "plain" / name).read_bytes()
    project.write("cards/other.yaml", cards(warrior("Dogwood", "Nothing")))
    assert program(*BUILD, "wrong") == plain(program, *BUILD, "wrong again")
    assert program("build", "-q").code == 1


def test_a_preview_reads_only_its_card(project: Folder, program: Program, read: list[str]) -> None:
    assert program(*SHOW).code == 0
    picture = (project.root / "cedar.svg").read_bytes()
    read.clear()
    assert program(*SHOW).code == 0
    assert {*read} <= {"a.yaml", "arms.yaml", "more.yaml"}
    assert plain(program, *SHOW).code == 0
    assert (project.root / "cedar.svg").read_bytes() == picture
    unknown = ("show", "Ceder")
    assert program(*unknown) == plain(program, *unknown)


def test_a_build_of_a_file_reads_only_the_others_that_it_names(
    project: Folder, program: Program, read: list[str]
) -> None:
    build = ("build", "cards/a.yaml", "--format", "svg", "-q", "-j", "1", "-o")
    assert program(*build, "first").code == 0
    assert "other.yaml" in read
    read.clear()
    assert program(*build, "again").code == 0
    assert {*read} == {"a.yaml", "arms.yaml", "more.yaml"}
    assert plain(program, *build, "plain").code == 0
    assert [project.files("again"), project.files("plain")] == [project.files("first")] * 2


def test_a_battle_begins_with_the_errors_of_its_cards_without_reading_others(
    project: Folder, program: Program, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("click.prompt", lambda *_, **__: "quit")
    warband = "- {{kind: warband, name: {}, points: {}, leader: Ash, members: [Ash, Cedar]}}\n"
    project.write("cards/lists.yaml", cards(warband.format("Too Dear", 41), warband.format("Legal", 40)))
    # No error of the battle, nor one that keeps the index from being used.
    project.write("cards/unused.yaml", cards(warband.format("Elsewhere", 99)))
    battle = ("battle", "Too Dear", "Legal", "--seed", "b", "--save")
    first = program(*battle, "first.jsonl")
    assert "other.yaml" in read
    read.clear()
    again = program(*battle, "again.jsonl")
    assert {"b.yaml", "other.yaml", "unused.yaml"}.isdisjoint(read)
    without = plain(program, *battle, "plain.jsonl")
    told = [[line for line in each.out.splitlines() if line.startswith("cards/")] for each in (first, again, without)]
    assert told == [told[0]] * 3
    assert [line.partition("error[")[2] for line in told[0]] == [
        "WS331]: it says 41 points, but its members add up to 40"
    ]


def test_a_file_that_was_just_written_is_not_kept(
    project: Folder, program: Program, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(card_index, "SETTLED_NS", 10**12)
    program(*ATTACK)
    read.clear()
    program(*ATTACK)
    assert "other.yaml" in read


def test_files_that_are_gone_are_forgotten(project: Folder, program: Program) -> None:
    program(*ATTACK)
    assert stored().count(b"other.yaml") == 1
    (project.root / "cards/other.yaml").unlink()
    project.write("cards/new.yaml", cards(warrior("Gorse")))
    program(*ATTACK)
    assert stored().count(b"other.yaml") == 0
    assert stored().count(b"new.yaml") == 1
