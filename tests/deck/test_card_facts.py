"""Checks of some files, which look up what is said of other cards, find the same as checks that read all of them."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cardgen.checking.checks.near_duplicate import content_digest
from cardgen.deck import card_index
from cardgen.deck.deck import built_in_cards
from cardgen.model import deck as decks
from cardgen.model.deck import FileCards
from cardgen.project.project import Project
from cardgen.rulesets.warcry.checks.changes import _highest_numbers
from cardgen.rulesets.warcry.checks.runemarks import _marks_of_one_alliance
from cardgen.rulesets.warniris.attribute_bounds import fighter_numbers, relic_changes
from cardgen.rulesets.warniris.cards import Character
from cardgen.rulesets.warniris.checks.lists import _deals, _own_ranges, _range_bonus
from cardgen.rulesets.warniris.combat_benchmarks import FightingPart, fighting_part
from cardgen.runtime import fingerprint
from cardgen.runtime.user_folders import cache_folder
from tests.benchmarks.decks import characters
from tests.cases import each_case
from tests.cli.commands import Outcome, Program
from tests.projects import Folder
from tests.random_cases import dice_for, number_of_cases

KITS = Path(__file__).parents[2] / "cards"
MINION = "cards/levy.yaml"
LEVY = "kind: minion\nname: Levy\nstats: {M: 1, B: 2, S: 1, W: 1, Mo: 9}\nweapons: [Fork: CW R1 P0 D1]\n"


@pytest.fixture
def project(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """A project of Characters, whose index is stored although its files are new."""
    monkeypatch.setattr(card_index, "SETTLED_NS", 0)
    monkeypatch.setattr(fingerprint, "MOST_FILES", 0)  # no report is kept
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder.root.parent / "cache"))
    folder.write("cardgen.yaml", "game: warniris\n")
    for number, (name, keys) in enumerate(characters(6)):
        folder.write(f"cards/{number}.yaml", f"kind: character\ncards:\n  - name: {name}\n{keys}")
    folder.write(MINION, LEVY)
    folder.write("cards/others.yaml", LEVY.replace("Levy", "Spearman").replace("D1", "D2"))
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


def check(program: Program, file: str, *, indexed: bool = True) -> Outcome:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(card_index, "FAST", indexed)
        return program("check", file, "--format", "json", "--show-all")


def test_a_check_of_a_file_reads_no_other_file_twice(project: Folder, program: Program, read: list[str]) -> None:
    for file in (MINION, "cards/3.yaml"):
        first = check(program, file)
        assert {"0.yaml", "5.yaml"} <= {*read}
        read.clear()
        assert check(program, file) == first
        assert {name for name in read if (project.root / "cards" / name).exists()} == {Path(file).name}
        assert check(program, file, indexed=False) == first
        read.clear()


def test_only_a_card_that_is_equal_is_read(project: Folder, program: Program, read: list[str]) -> None:
    check(program, MINION)
    project.write(MINION, LEVY.replace("D1", "D2"))
    read.clear()
    outcome = check(program, MINION)
    assert "'Levy' does exactly what 'Spearman' does" in outcome.out
    assert "others.yaml" in read
    assert "0.yaml" not in read
    assert outcome == check(program, MINION, indexed=False)


def test_facts_of_somebody_else_are_not_used(project: Folder, program: Program, read: list[str]) -> None:
    outcome = check(program, MINION)
    for file in (cache_folder() / "index").iterdir():
        file.write_bytes(bytes(32) + file.read_bytes()[32:])
    read.clear()
    assert check(program, MINION) == outcome
    assert "0.yaml" in read


def edited(text: str, dice: random.Random) -> str:
    """A text of cards in which some numbers are a little different."""
    return re.sub(r"\b\d\b", lambda match: str(max(1, int(match[0]) + dice.choice((-1, 0, 0, 0, 0, 0, 1, 3)))), text)


@pytest.mark.fuzz
@each_case("game", ["warniris", "warcry"])
def test_after_any_change_the_findings_are_the_same(game: str, project: Folder, program: Program) -> None:
    for file in (project.root / "cards").iterdir():
        file.unlink()
    project.write("cardgen.yaml", f"game: {game}\n")
    for file in sorted((KITS / game).glob("*.yaml")):
        text = file.read_text(encoding="utf-8")
        project.write(f"cards/{file.name}", re.sub(r"name: (\w)", r"name: New \1", text))
    dice, found = dice_for(f"facts of {game}"), set[str]()
    files = sorted(path.name for path in (project.root / "cards").iterdir())
    for _ in range(number_of_cases(2, 0.01)):
        changed, name = project.root / "cards" / dice.choice(files), dice.choice(files)
        changed.write_text(edited(changed.read_text(encoding="utf-8"), dice), encoding="utf-8")
        outcome = check(program, f"cards/{name}")
        assert outcome == check(program, f"cards/{name}", indexed=False), (changed.name, name)
        found.update(re.findall(r'"code": "(\w+)"', outcome.out))
    assert found


@each_case(
    "game, fact",
    [
        ("warniris", content_digest),
        ("warniris", fighter_numbers),
        ("warniris", fighting_part),
        ("warniris", _own_ranges),
        ("warniris", relic_changes),
        ("warniris", _range_bonus),
        ("warniris", _deals),
        ("warcry", _highest_numbers),
        ("warcry", _marks_of_one_alliance),
    ],
)
def test_what_is_said_of_a_card_is_plain_data(game: str, fact: Callable[[Any], Any], tmp_path: Path) -> None:
    said = 0
    for entry in built_in_cards(Project(tmp_path), game):
        try:
            value = fact(entry.card)
        except AttributeError:  # a card of another kind
            continue
        said += 1
        assert value is not None
        assert json.loads(json.dumps(value)) == value
    assert said


def test_a_character_made_of_what_is_kept_fights_as_the_card_does(tmp_path: Path) -> None:
    for entry in built_in_cards(Project(tmp_path), "warniris"):
        if isinstance(entry.card, Character):
            made = FightingPart.of(*fighting_part(entry.card)).character()
            for name in ("stats", "weapons", "abilities"):
                assert getattr(made, name) == getattr(entry.card, name)
