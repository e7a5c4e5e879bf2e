from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.deck.deck import load_whole_deck
from cardgen.diagnostic import CardgenError
from cardgen.model.deck import Deck
from cardgen.model.left_out import StandIn
from cardgen.runtime.workspace import Workspace
from tests.projects import Folder

HEADINGS = "name,stats.M,stats.B,stats.S,stats.W,stats.Mo,weapons,tags"
RIGHT = "Guard,2,3,2,1,10,Halberd: CW R2 P1 D2,gate"
WRONG = "Hound,1,9,1,1,14,Fangs: CW R1 P1 D2,gate"
LOST = "Rat,many,3,1,1,14,Teeth: CW R1 P1 D2,sewer"


def _deck(folder: Folder, *rows: str, only: tuple[str, ...] = (), keep_going: str = "skip", more: str = "") -> Deck:
    folder.write("cardgen.yaml", f"game: warniris\ntables:\n  minions.csv:\n    kind: minion\n{more}")
    folder.write("minions.csv", "\n".join((HEADINGS, *rows)) + "\n")
    return load_whole_deck((), only, keep_going, workspace=Workspace(Path(folder.root)))[1]


def test_rows_with_mistakes_are_left_out_with_their_reasons(folder: Folder) -> None:
    deck = _deck(folder, WRONG, RIGHT, LOST)
    assert [entry.card.name for entry in deck.cards] == ["Guard"]
    assert [(each.name, each.id, each.place.span and each.place.span.line) for each in deck.left_out] == [
        ("Hound", "hound", 2),
        ("Rat", "rat", 4),
    ]
    assert [problem.message for each in deck.left_out for problem in each.problems] == [
        "must be between 1 and 5, not 9",
        "'M' must be a whole number, not 'many'",
    ]


def test_a_wrong_column_leaves_out_all_rows(folder: Folder) -> None:
    with_note = (f"{row},?" for row in (RIGHT, WRONG))
    folder.write("cards/other.yaml", "kind: minion\nname: Other\nstats: {M: 2, B: 3, S: 2, W: 1, Mo: 9}\n")
    deck = _deck(folder, *with_note)
    assert [each.name for each in deck.left_out] == ["Guard", "Hound"]
    (problem,) = deck.left_out[0].problems
    assert problem.message == "the column of this cell has no name"


def test_a_row_whose_expression_fails_may_be_any_card(folder: Folder) -> None:
    with pytest.raises(CardgenError, match="cannot divide by zero"):
        _deck(folder, RIGHT, LOST, only=("guard",), keep_going="", more="    rows: 1 / (row['stats.B'] - 3) > 9\n")


def test_words_select_cards_that_cannot_be_read(folder: Folder) -> None:
    for word, names in (("gate", ["Hound"]), ("minion", ["Hound", "Rat"]), ("RAT", ["Rat"]), ("tags=sewer", ["Rat"])):
        deck = _deck(folder, RIGHT, WRONG, LOST, only=(word,))
        assert [each.name for each in deck.left_out] == names, word


def test_stand_ins_are_in_the_places_of_their_cards(folder: Folder) -> None:
    deck = _deck(folder, WRONG, RIGHT, LOST, keep_going="placeholder")
    assert [entry.card.name for entry in deck.cards] == ["Hound", "Guard", "Rat"]
    hound = deck.cards[0].card
    assert isinstance(hound, StandIn)
    assert hound.reason == "minions.csv:2:9: must be between 1 and 5, not 9"
    assert (hound.tags, hound.qty) == (("gate",), 1)


CARD = '{"name": "%s", "stats": {"M": %s, "B": 3, "S": 2, "W": 1, "Mo": 10}, "weapons": [{"Axe": "CW R1 P1 D2"}]}'


@pytest.mark.parametrize("separator", [", ", ",\n"])
def test_cards_on_one_line_have_their_own_mistakes(folder: Folder, separator: str) -> None:
    cards = separator.join((CARD % ("One", 2), CARD % ("Two", 9), "5", CARD % ("Three", 2), CARD % ("One", 3)))
    folder.write("cardgen.yaml", "game: warniris\ntables: {a.json: {kind: minion}}\n")
    for file, text, names in (
        ("a.json", f"[{cards}]", ["Two", "One", ""]),
        ("cards/a.yaml", f"{{kind: minion, cards: [{cards}]}}", ["Two", "unnamed", "One"]),
    ):
        folder.write(file, text)
        deck = load_whole_deck((folder.root / file,), (), "skip", workspace=Workspace(folder.root))[1]
        assert [(entry.card.name, entry.card.model_dump()["stats"]["mind"]) for entry in deck.cards] == [
            ("One", 2), ("Three", 2)
        ]  # fmt: skip
        assert sorted(each.name for each in deck.left_out) == sorted(names), file
        assert all(each.problems for each in deck.left_out)


def test_mistakes_of_settings_concern_all(folder: Folder) -> None:
    deck = _deck(folder, RIGHT, more="    columns: {motto: motto}\n")
    (left_out,) = deck.left_out
    assert left_out.problems[0].place.file == "cardgen.yaml"
    with pytest.raises(CardgenError, match="unknown kind 'nobody'"):
        _deck(folder, RIGHT, more="sizes: {nobody: poker}\n")
