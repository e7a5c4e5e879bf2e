"""What changed rules mean, from release files alone."""

from __future__ import annotations

import json
import re

import pytest

from cardgen.releases.changes import Meanings, meaning_data, meaning_lines
from cardgen.releases.odds import nested
from cardgen.releases.page import as_html
from cardgen.releases.report import as_data, breaches, markdown_lines, text_lines
from cardgen.releases.run import diff_with_odds
from cardgen.releases.write import write_release
from tests.projects import Folder
from tests.releases import test_changes_game_changes as ember

WARNIRIS = """\
kind: character
cards:
  - name: Ash
    stats: {mind: 2, body: 3, spirit: 2, wounds: 4, movement: 12}
    weapons: [{name: Rifle, type: RW, range: 20, penetration: 0, damage: 1}]
  - name: Ember
    stats: {mind: 3, body: 3, spirit: 2, wounds: 3, movement: 12}
    weapons: [{name: Club, type: CW, range: 1, penetration: 0, damage: 1}]
"""
WARCRY = """\
game: warcry
kind: fighter
cards:
  - {name: Ash, faction: chaos, points: 90, stats: {M: 4, T: 4, W: 12}, weapons: [Sword: sword R1 A3 S4 D1/3]}
  - {name: Ember, faction: chaos, points: 80, stats: {M: 4, T: 4, W: 10}, weapons: [Axe: axe R1 A3 S3 D1/3]}
"""
SKIRMISH = """\
game: skirmish
cards:
  - {kind: weapon, name: Blade}
  - {kind: warrior, name: Ash, m: 4, ws: 3, bs: 3, s: 3, t: 3, w: 1, i: 3, a: 1, ld: 7, points: 5, weapons: [Blade]}
  - {kind: warrior, name: Ember, m: 4, ws: 3, bs: 3, s: 3, t: 4, w: 1, i: 3, a: 1, ld: 7, points: 6, weapons: [Blade]}
"""
DISKWARS = """\
game: diskwars
kind: disk
cards:
  - {name: Ash, disk: small, faction: order, cost: 4, attack: 2, counter: 1, toughness: 3, movement: 4}
  - {name: Ember, disk: small, faction: order, cost: 4, attack: 1, counter: 1, toughness: 2, movement: 4}
"""
# The cards of each game, what is replaced, and a line of the report.
CASES = {
    "warniris": (WARNIRIS, ("mind: 2", "mind: 3"), "Rifle at Ember: wounds 17 % → 25 %"),
    "warcry": (WARCRY, ("A3 S4", "A4 S4"), "Sword at Ember: is taken down 0 % → 1 %, mean damage"),
    "skirmish": (SKIRMISH, ("ws: 3, bs: 3, s: 3, t: 3", "ws: 3, bs: 3, s: 4, t: 3"), "Blade at Ember: "),
    "diskwars": (DISKWARS, ("attack: 1", "attack: 3"), "Ember on Ash: Ash: "),
}


def meanings_of(folder: Folder, name: str, text: str, edit: tuple[str, str]) -> Meanings:
    folder.write(name, text)
    write_release("v1")
    assert edit[0] in text
    folder.write(name, text.replace(*edit, 1))
    return diff_with_odds("v1")[1]


def lines(meanings: Meanings) -> list[str]:
    return [line for meaning in meanings.cards.values() for line in meaning_lines(meaning)]


@pytest.mark.parametrize("game", CASES)
def test_the_referee_tells_what_changed_rules_mean(folder: Folder, game: str) -> None:
    text, edit, expected = CASES[game]
    folder.write("cardgen.yaml", f"game: {game}\n")
    meanings = meanings_of(folder, "cards/a.yaml", text, edit)
    found = lines(meanings)
    assert any(line.startswith(expected) for line in found), found
    assert found[-1].startswith("balance: place ")
    (data,) = map(meaning_data, meanings.cards.values())
    assert data["odds"]
    assert data["balance"]
    assert diff_with_odds("v1", odds=False)[1].cards == {}


# A rule that is left to the players, after which text of the cards, and what is then said.
LEFT_OUT = {
    "warniris": (
        "wounds: 4, movement: 12}",
        ", abilities: [{name: Trick, text: Wolves like her.}]",
        "Ash: 'Trick' has only",
    ),
    "warcry": ("faction: chaos", "", "abilities, battle traits, moves, and reactions"),
    "skirmish": ("points: 5", ", rules: [Sly]", "Ash: sly"),
    "diskwars": ("toughness: 3", ", ability: Wolves like her.", "Ash: Wolves like her"),
}


@pytest.mark.parametrize("game", CASES)
def test_what_the_odds_leave_out_comes_before_them(folder: Folder, game: str) -> None:
    """In the text, the data, the Markdown, and the page."""
    text, edit, _ = CASES[game]
    after, rule, expected = LEFT_OUT[game]
    rule = f"\n    {rule[2:]}" if "\n" in text.split(after, 1)[1][:2] else rule
    folder.write("cardgen.yaml", f"game: {game}\n")
    folder.write("cards/a.yaml", text.replace(after, after + rule, 1))
    write_release("v1")
    folder.write("cards/a.yaml", text.replace(after, after + rule, 1).replace(*edit, 1))
    changes, meanings = diff_with_odds("v1")
    assert any(each.startswith(expected) for each in meanings.left_out), meanings.left_out
    assert len({*meanings.left_out}) == len(meanings.left_out)
    notes = [f"not adjudicated: {each}" for each in meanings.left_out]
    assert [*text_lines(changes, meanings)][: len(notes)] == notes
    markdown = "\n".join(markdown_lines(changes, meanings))
    assert 0 < markdown.index("not adjudicated: ") < markdown.index("→", markdown.index("###"))
    assert as_data(changes, meanings)["not adjudicated"] == [*meanings.left_out]
    page = as_html(changes, meanings, "v1", None).decode()
    assert page.index('id="left-out"') < page.index('id="summary"') < page.index('id="classes"')
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert json.loads(data)["leftOut"] == [*meanings.left_out]


def test_a_game_file_answers_with_its_trials(folder: Folder) -> None:
    folder.write("cardgen.yaml", "game: ember\n")
    folder.write("games/ember/game.yaml", ember.GAME)
    meanings = meanings_of(folder, "cards/all.yaml", ember.CARDS, ("heat: 2", "heat: 3"))
    assert lines(meanings) == ["warm: Soot: 0 11 % → 4 %, 1 44 % → 22 %, 3 0 % → 30 %"]


def test_many_changes_are_computed_on_request(folder: Folder) -> None:
    folder.minions(*(f"M{number}" for number in range(21)))
    write_release("v1")
    folder.minions(*(f"M{number}" for number in range(21)), more=", base: 40")
    changes, meanings = diff_with_odds("v1")
    assert meanings.note == "no odds for 21 changed cards; for these, use --odds"
    assert len([*breaches(changes, meanings, None, 0.05)]) == 21  # what is not known may be too large


@pytest.mark.parametrize("game", ["warniris", "skirmish"])
def test_in_a_large_collection_the_scores_of_changed_cards_are_compared(
    folder: Folder, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit of a real collection, which some duels of two cards are beyond here."""
    monkeypatch.setattr("cardgen.releases.odds.QUICK_PAIRS", 2)
    text, edit, _ = CASES[game]
    folder.write("cardgen.yaml", f"game: {game}\n")
    meanings = meanings_of(folder, "cards/a.yaml", text, edit)
    (line,) = (each for each in lines(meanings) if each.startswith("balance"))
    assert re.fullmatch(r"balance: wins [\d.]+ % → [\d.]+ % of its duels against 1 card", line)
    places = next(iter(meanings.cards.values()))
    assert places.old_place
    assert places.new_place
    monkeypatch.setattr("cardgen.releases.odds.QUICK_PAIRS", 200)
    changes, exact = diff_with_odds("v1")
    whole = next(iter(exact.cards.values()))
    assert whole.new_place
    assert whole.new_place.score == pytest.approx(places.new_place.score)
    shift = abs(places.new_place.score - places.old_place.score)
    assert [*breaches(changes, exact, None, shift + 0.001)] == []
    (breach,) = breaches(changes, exact, None, shift - 0.001)
    assert breach.startswith("Ash: wins ")


def test_what_cannot_be_compared_is_said(folder: Folder) -> None:
    folder.write("cardgen.yaml", "game: warniris\n")
    path = folder.write("cards/a.yaml", WARNIRIS)
    write_release("v1")
    release = folder.root / "releases/v1.yaml"
    release.write_text(release.read_text("utf-8").replace("movement: 12", "movement: 12000", 1), "utf-8")
    folder.write("cards/a.yaml", path.read_text("utf-8").replace("mind: 2", "mind: 3", 1))
    changes, meanings = diff_with_odds("v1")
    assert meanings.note == "no comparison of 'Ash': the rules of today refuse it as it was in v1"
    assert [*breaches(changes, meanings, None, 0.5)] == [
        "Ash: the shift of its balance is not known, because the rules of today refuse it as it was in v1"
    ]


@pytest.mark.parametrize("values", [{"a": 1, "a/b": 2}, {"a/b": 1, "a": 2}, {"/".join("a" * 5000): 1}])
def test_pointers_that_no_card_has(values: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"plain value|cannot have"):
        nested(values)


def test_lists_and_maps_of_a_release() -> None:
    values = {"a/0/b": 1, "a/1/b": 2, "c/1": 3, "d/" + "9" * 5000: 4}
    assert nested(values) == {"a": [{"b": 1}, {"b": 2}], "c": {"1": 3}, "d": {"9" * 5000: 4}}
