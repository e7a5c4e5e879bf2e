"""What was exchanged, misspelled, or broken by a branch, in cards, sheets, and captions."""

from __future__ import annotations

from pathlib import Path

import pytest

import cardgen as api
from cardgen.diagnostic import Diagnostic, Severity
from tests.products import ROOT
from tests.releases.test_run import git

GAME = """\
game: own
name: Own
prefix: OW
types:
  post:
    fields:
      place: {type: text}
      reach: {type: integer, min: 1, max: 9}
kinds:
  guard:
    fields:
      cost: {type: integer, min: 1, max: 40}
      left: {type: list, items: {type: text}}
      right: {type: list, items: {type: text}}
      posts: {type: list, items: {type: post}}
      friend: {type: card, kind: guard, optional: true}
glossary:
  Watchful: {means: It sees all of it., forms: [Watchful, Watchfully]}
sheets: [sheets/summary.yaml]
"""
SHEET = """\
title: Own
sections:
  - section: Words
    content:
      - show: glossary
      - {show: cards, with: {kind: guard, only: [Ash]}}
"""
CARDS = """\
game: own
kind: guard
cards:
  - name: Ash
    cost: 9
    motto: It is a long way to the tower.
    text: Ash is watchful in the dark.
    left: [lamp]
    right: [bell]
    posts:
      - {place: gate, reach: 2}
      - {place: tower, reach: 5}
    friend: Elm
  - name: Elm
    cost: 9
    motto: The lamps of the harbor are out.
    text: Elm is watchful in the dark.
    left: [rope]
    right: [net]
    posts:
      - {place: quay, reach: 2}
      - {place: stairs, reach: 2}
    friend: Oak
  - name: Oak
    cost: 9
    motto: Nobody has seen the cook.
    left: [pan]
    right: [knife]
    posts: [{place: kitchen, reach: 1}]
"""
COMMAND = """\
game: diskwars
kind: command
cards:
  - {name: Stoke the Fires, strategy: bold, activation: 2, faction: destruction,
     passive: Friendly disks with impact deal 2 more impact damage., bonuses: [{Stoke: impact 2 always}]}
"""
ABILITIES = """\
game: warcry
cards:
  - {kind: ability, name: Encore, price: quad, runemarks: [gloomspite-gitz],
     text: This fighter can make a bonus attack action.}
"""
FILES = {
    "cardgen.yaml": "game: own\nlanguage: en\nlanguages: [de]\n",
    "games/own/game.yaml": GAME,
    "games/own/sheets/summary.yaml": SHEET,
    "captions/de.txt": "Watchful = Wachsam\nOwn = Eigen\n",
    "cards/guards.yaml": CARDS,
    "cards/commands.yaml": COMMAND,
    "cards/abilities.yaml": ABILITIES,
}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("repository")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return root


def changed(repository: Path, monkeypatch: pytest.MonkeyPatch, name: str, *edits: tuple[str, str]) -> list[Diagnostic]:
    """Return what is found after texts of a file were replaced by others."""
    monkeypatch.chdir(repository)
    git(repository, "checkout", "-q", ".")
    text = FILES[name]
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    (repository / name).write_text(text, "utf-8")
    return [*api.check(changed_since="HEAD")]


@pytest.mark.parametrize(
    ("edits", "at", "said"),
    [
        ([("left: [lamp]\n    right: [bell]", "left: [bell]\n    right: [lamp]")], [8],
         "'left' and 'right' of 'Ash' have each other's earlier values"),
        ([("place: gate", "place: tower"), ("place: tower, reach: 5", "place: gate, reach: 5")], [11],
         "two 'place' of 'Ash' have each other's earlier values"),
        ([("It is a long way to the tower.", "x"),
          ("The lamps of the harbor are out.", "It is a long way to the tower."),
          ("motto: x", "motto: The lamps of the harbor are out.")], [6, 16], "have exchanged their 'motto'"),
    ],
)  # fmt: skip
def test_what_was_exchanged_is_told(
    repository: Path, monkeypatch: pytest.MonkeyPatch, edits: list[tuple[str, str]], at: list[int], said: str
) -> None:
    found = changed(repository, monkeypatch, "cards/guards.yaml", *edits)
    assert [each.place.span.line for each in found if each.place.span] == at
    assert all(said in each.message and each.severity is Severity.NOTE for each in found)
    assert all("exchange them again" in (each.help or "") for each in found)


@pytest.mark.parametrize(
    "edits",
    [
        [("{place: quay, reach: 2}\n      - {place: stairs", "{place: stairs, reach: 2}\n      - {place: quay")],
        [("friend: Elm", "friend: Oak"), ("friend: Oak\n  - name: Oak", "friend: Elm\n  - name: Oak")],
        [("left: [pan]\n    right: [knife]", "right: [knife]\n    left: [pan]")],
    ],
)
def test_another_order_and_another_choice_are_no_exchange(
    repository: Path, monkeypatch: pytest.MonkeyPatch, edits: list[tuple[str, str]]
) -> None:
    found = changed(repository, monkeypatch, "cards/guards.yaml", *edits)
    assert not any("exchange" in each.message or "earlier" in each.message for each in found)


@pytest.mark.parametrize(
    ("name", "old", "new", "line", "said", "advice"),
    [
        ("games/own/sheets/summary.yaml", "show: glossary", "show: glosary", 5, "unknown content 'glosary'",
         "before this branch: `show: glossary`; restore that value"),
        ("games/own/game.yaml", "[Watchful, Watchfully]", "[Watchfull, Watchfullly]", 18,
         "'watchfull' is written nowhere", "before this branch: `forms: [Watchful, Watchfully]`; restore that value"),
        ("captions/de.txt", "Watchful =", "Wacthful =", 1, "'wacthful' is written nowhere else",
         "before this branch: `Watchful = Wachsam`; restore that value"),
        ("captions/de.txt", "Watchful = ", "Watchful ", 1, "a caption must be written",
         "before this branch: `Watchful = Wachsam`; restore that value"),
        ("captions/de.txt", "Own = Eigen\n", "", 1, "'Own' has no translation any more",
         "this branch removed `Own = Eigen`; restore it"),
        ("cards/abilities.yaml", "price: quad", "price: double", 3, "it costs 2 instead of 4",
         "before this branch: `price: quad`; restore that value"),
    ],
)  # fmt: skip
def test_a_slip_in_a_file_beside_the_cards_is_told(
    repository: Path, monkeypatch: pytest.MonkeyPatch, name: str, old: str, new: str, line: int, said: str, advice: str
) -> None:
    (told,) = changed(repository, monkeypatch, name, (old, new))
    assert told.place.file == name
    assert told.place.span
    assert told.place.span.line == line
    assert said in told.message
    assert (told.help or "").startswith(advice)


@pytest.mark.parametrize(
    "edit", [("name: Ash", "name: Hazel"), (CARDS[CARDS.index("  - name: Ash") : CARDS.index("  - name: Elm")], "")]
)
def test_a_sheet_that_shows_a_card_by_its_old_name_is_told(
    repository: Path, monkeypatch: pytest.MonkeyPatch, edit: tuple[str, str]
) -> None:
    (told,) = (each for each in changed(repository, monkeypatch, "cards/guards.yaml", edit) if "sheet" in each.message)
    assert told.message == "a reference sheet cannot be made: unknown guard 'Ash'"
    assert told.place.file == "cards/guards.yaml"
    ((place, _),) = told.related
    assert place.file == "games/own/sheets/summary.yaml"


@pytest.mark.parametrize("place", ["cards/guards.yaml", "other/guards.yaml"])
def test_a_sheet_is_not_told_beside_a_whole_file_that_is_not_read(
    repository: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """Its cards are left out by Git, or moved to where none is read."""
    changed(repository, monkeypatch, "cards/guards.yaml")
    (repository / place).parent.mkdir(exist_ok=True)
    (repository / "cards/guards.yaml").rename(repository / place)
    (repository / ".gitignore").write_text(place if place.startswith("cards") else "", "utf-8")
    found = [*api.check(changed_since="HEAD")]
    (repository / ".gitignore").unlink()
    (repository / place).unlink()
    assert found
    assert not [each for each in found if "sheet" in each.message]


def test_a_card_that_became_one_of_the_sample_kit_is_told_where_it_changed(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The card of the kit is never the wrong one, though cards are compared in the order of their names."""
    edits = [("deal 2 more", "deal 1 more"), ("impact 2 always", "impact 1 always")]
    assert (ROOT / "cards/diskwars/commands.yaml").is_file()
    (told,) = changed(repository, monkeypatch, "cards/commands.yaml", *edits)
    assert told.place.file == "cards/commands.yaml"
    assert "this branch changed" in (told.help or "")


def test_a_file_that_is_not_read_any_more_is_told_without_what_follows(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """References in another file to its cards are as they were."""
    monkeypatch.chdir(repository)
    other = "game: own\nkind: guard\ncards: [{name: Fir, cost: 3, friend: Ash, left: [a], right: [b], posts: []}]\n"
    (repository / "cards/more.yaml").write_text(other, "utf-8")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "more")
    (told,) = changed(repository, monkeypatch, "cards/guards.yaml", ("game: own\n", "game: own\nformat: 2\n"))
    assert (told.code, told.place.file) == ("CG110", "cards/guards.yaml")


def test_a_card_that_names_another_without_being_named_is_told_if_all_were_pairs(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository)
    pairs = {"Rue": "Sage", "Sage": "Rue", "Thyme": "Dill", "Dill": "Thyme"}
    cards = "game: own\nkind: guard\ncards:\n" + "".join(
        f"  - {{name: {name}, cost: {cost}, friend: {other}, left: [a], right: [b], posts: []}}\n"
        for cost, (name, other) in enumerate(pairs.items(), 3)
    )
    git(repository, "checkout", "-q", ".")
    (repository / "cards/guards.yaml").write_text(cards, "utf-8")
    git(repository, "commit", "-qam", "pairs")
    (repository / "cards/guards.yaml").write_text(cards.replace("friend: Sage", "friend: Dill"), "utf-8")
    found = [each for each in api.check(changed_since="HEAD") if "instead" in each.message]
    (told,) = found
    assert told.message == "'Rue' refers to 'Dill', but 'Dill' refers to 'Thyme' instead"
    assert told.place.span
    without = cards.replace("friend: Sage", "friend: Dill").replace("friend: Thyme, ", "")
    (repository / "cards/guards.yaml").write_text(without, "utf-8")
    assert "but 'Dill' refers to nobody instead" in "".join(each.message for each in api.check(changed_since="HEAD"))
    assert told.place.span.line == 4
    assert (told.help or "").startswith("before this branch: `friend: Sage`; restore that value")
    both = cards.replace("friend: Sage", "friend: x").replace("friend: Thyme", "friend: Rue")
    both = both.replace("friend: x", "friend: Dill").replace("name: Sage, cost: 4, friend: Rue", "name: Sage, cost: 4")
    both = both.replace("name: Thyme, cost: 5, friend: Dill", "name: Thyme, cost: 5")
    (repository / "cards/guards.yaml").write_text(both, "utf-8")
    assert not [each for each in api.check(changed_since="HEAD") if "instead" in each.message]


def test_slips_are_told_in_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cards = {f"cards/{number}.yaml": f"game: warniris\nkind: relic\nname: Lamp {number}\n" for number in range(60)}
    motto = "motto: The lamps of the harbor are out.\n"
    (tmp_path / "cards").mkdir()
    for name, text in cards.items():
        Path(name).write_text(text + motto, "utf-8")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "first")
    for name, text in cards.items():
        Path(name).write_text(text + motto.replace("lamps", "lapms"), "utf-8")
    Path("cards/60.yaml").write_text("game: warniris\nkind: relic\nname: Lamp 60\n" + motto, "utf-8")
    found = [each for each in api.check(changed_since="HEAD") if "'lapms' is written nowhere else" in each.message]
    assert len(found) == len(cards)
