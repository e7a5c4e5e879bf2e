"""Ids and references."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.model.deck import ALL_KINDS, ALL_NAMES, CardLibrary, Entry, find_links, read_deck
from cardgen.project.project import Project
from tests.model.games import GAMES, deck, problems

BESS = "kind: horse\nname: Bess\nbody: {S: 4}\n"
OLD_BESS = f"{BESS}id: old-bess\n"
TOM = BESS.replace("Bess", "Tom")
WAIN = "kind: cart\nname: Wain\nwheels: [{S: 8}]\n"


def team(horse: str) -> str:
    return f"kind: team\nname: T\nhorses: [{{horse: {horse}}}]\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_an_id_stands_for_one_card(root: Path) -> None:
    found = deck(root, BESS, f"{TOM}id: bess\n", "kind: cart\nname: BESS\nwheels: [{S: 8}]\n")
    assert [str(diagnostic) for diagnostic in found.diagnostics] == [
        "b.yaml:4:5: error[CG114]: duplicate id 'bess'",
        "c.yaml:2:7: error[CG114]: duplicate id 'bess'",
    ]
    for diagnostic in found.diagnostics:
        assert [(str(place), word) for place, word in diagnostic.related] == [("a.yaml:2:7", "first defined here")]
    assert [each.help for each in found.diagnostics] == [
        "give one of the cards a different 'id'",
        "give this card its own name, or its own 'id' if the name is right",
    ]


def test_references_by_id_and_by_name(root: Path) -> None:
    text = "kind: team\nname: T\nhorses: [{horse: Bess}, {horse: tom}]\nreserve: [bess]\n"
    found = deck(root, f"{text}grooms: {{Ann: Tom}}\ncart: Wain\n", BESS, TOM, WAIN)
    assert found.diagnostics == ()
    assert [(link.key_path, link.kind, link.name) for link in find_links(found.cards[0].card)] == [
        (("horses", 0, "horse"), "horse", "Bess"),
        (("horses", 1, "horse"), "horse", "tom"),
        (("reserve", 0), "horse", "bess"),
        (("grooms", "Ann"), "horse", "Tom"),
        (("cart",), "cart", "Wain"),
    ]


def test_a_card_without_references_is_not_searched(root: Path) -> None:
    (entry,) = deck(root, BESS).cards
    assert list(find_links(entry.card)) == []


@pytest.mark.parametrize(
    ("name", "said", "advice"),
    [
        ("Bes", "unknown horse 'Bes'; did you mean 'Bess'?", ""),
        (
            "Zed",
            "unknown horse 'Zed'",
            "write the id or name of an existing horse, such as 'Bess'; or remove the reference",
        ),
        ("wain", "unknown horse 'wain'", "'wain' is a card of kind 'cart'"),
    ],
)
def test_a_reference_to_nothing(root: Path, name: str, said: str, advice: str) -> None:
    (diagnostic,) = deck(root, team(name), BESS, WAIN).diagnostics
    assert str(diagnostic) == f"a.yaml:3:18: error[CG115]: {said}"
    assert diagnostic.help == advice


def test_examples_are_what_other_cards_name_at_the_same_key(root: Path) -> None:
    other = "kind: team\nname: U\nhorses: [{horse: Tom}]\nreserve: [Bess]\n"
    text = "kind: team\nname: T\nhorses: [{horse: Zed}]\nreserve: [Zed]\n"
    found = deck(root, text, BESS, TOM, other).diagnostics
    assert [each.help.partition(";")[0] for each in found] == [
        "write the id or name of an existing horse, such as 'Tom'",
        "write the id or name of an existing horse, such as 'Bess'",
    ]


def test_a_name_that_two_cards_have(root: Path) -> None:
    (diagnostic,) = deck(root, team("Bess"), BESS, OLD_BESS).diagnostics
    assert str(diagnostic) == "a.yaml:3:18: error[CG116]: ambiguous reference 'Bess': 2 cards have this name"
    assert [(str(place), word) for place, word in diagnostic.related] == [
        ("b.yaml:2:7", "this card has the id 'bess'"),
        ("c.yaml:4:5", "this card has the id 'old-bess'"),
    ]


def test_of_thousands_of_cards_with_a_name_a_message_shows_some(root: Path) -> None:
    cards = "".join(f"  - {{id: bess-{number}, name: Bess, body: {{S: 4}}}}\n" for number in range(30))
    (diagnostic,) = deck(root, team("Bess"), f"kind: horse\ncards:\n{cards}").diagnostics
    assert "30 cards have this name" in diagnostic.message
    assert len(diagnostic.related) == 10


def test_an_id_goes_before_a_name(root: Path) -> None:
    found = deck(root, team("bess"), BESS, f"{OLD_BESS}".replace("name: Bess", "name: bess"))
    assert found.diagnostics == ()
    entry = found.find("haulage", "horse", "bess")
    assert entry is not None
    assert entry.card.name == "Bess"


def test_cards_of_another_game_are_not_meant(root: Path) -> None:
    assert problems(root, team("Bess"), f"game: racing\n{BESS}") == ["a.yaml:3:18: error[CG115]: unknown horse 'Bess'"]


@pytest.mark.parametrize("broken", [f"{BESS}speed: x\n", "kind: hors\nname: Bess\n", "name: Bess\n"])
def test_a_reference_to_a_broken_card_is_no_second_problem(root: Path, broken: str) -> None:
    assert len(problems(root, team("bess"), broken)) == 1
    assert len(problems(root, team("Bess"), broken)) == 1


def test_find(root: Path) -> None:
    found = deck(root, BESS, OLD_BESS, TOM)
    assert [getattr(found.find("haulage", "horse", key), "card", None) for key in ("old-bess", "Tom")] == [
        found.cards[1].card,
        found.cards[2].card,
    ]
    assert found.find("haulage", "horse", "Bess") is None
    assert found.find("haulage", "cart", "bess") is None
    assert found.find("racing", "horse", "bess") is None


def test_references_may_lead_into_the_library(root: Path) -> None:
    found = deck(root, team("Bess"), library=BESS)
    assert found.diagnostics == ()
    assert [entry.card.name for entry in found.cards] == ["T"]
    assert found.find("haulage", "horse", "bess") is not None


def test_own_cards_go_before_those_of_the_library(root: Path) -> None:
    found = deck(root, f"cards:\n- {{{team('Bess').strip().replace(chr(10), ', ')}, cart: Wain}}\n", BESS,
                 library="cards:\n- {kind: horse, name: Bess, id: other, body: {S: 3}}\n"
                         "- {kind: cart, name: Wain, wheels: [{S: 8}]}\n")  # fmt: skip
    assert found.diagnostics == ()


def test_a_library_is_asked_only_for_what_those_before_it_lack(root: Path) -> None:
    horses = deck(root, BESS).cards
    asked: list[str] = []

    def library(name: str, has: tuple[Entry, ...]) -> CardLibrary:
        def look(
            game: str, kinds: frozenset[str] = ALL_KINDS, names: frozenset[str] = ALL_NAMES, /
        ) -> tuple[Entry, ...]:
            asked.append(
                f"{name} for {', '.join(sorted(kinds)) or 'all'} of {game} called {', '.join(names) or 'anything'}"
            )
            return has

        return look

    (root / "t.yaml").write_text(team("Bess"), encoding="utf-8")
    shelves = [library("first", ()), library("second", horses), library("third", ())]
    found = read_deck(Project.find(root), [root / "t.yaml"], GAMES, "haulage", shelves)
    assert found.diagnostics == ()
    assert asked == ["first for horse of haulage called Bess", "second for horse of haulage called Bess"]
    asked.clear()
    (root / "t.yaml").write_text(team("Tom"), encoding="utf-8")
    found = read_deck(Project.find(root), [root / "t.yaml"], GAMES, "haulage", shelves[:2])
    assert [each.code for each in found.diagnostics] == ["CG115"]
    # All cards only for the message about an unknown name.
    wanted = ("horse of haulage called Tom", "all of haulage called anything")
    assert asked == [f"{name} for {each}" for each in wanted for name in ("first", "second")]


def test_problems_of_the_library_are_not_asked_for(root: Path) -> None:
    assert problems(root, team("Bess"), library="kind: horse\nname: Bess\nx: y") == [
        "a.yaml:3:18: error[CG115]: unknown horse 'Bess'"
    ]


def test_own_cards_are_suggested_before_those_of_a_library(root: Path) -> None:
    library = "kind: horse\ncards: [{name: Ada, body: {S: 4}}, {name: Ben, body: {S: 4}}]\n"
    (found,) = deck(root, team("Zed"), BESS, library=library).diagnostics
    assert "such as 'Bess', 'Ada', or 'Ben'; or" in found.help


def test_a_name_of_two_cards_with_one_id_is_no_finding_of_its_own(root: Path) -> None:
    assert problems(root, team("Bess"), BESS, BESS) == ["c.yaml:2:7: error[CG114]: duplicate id 'bess'"]


@pytest.mark.parametrize("name", ["Bess x2", "2 Bess", "2x Bess", "Bess (2)", "Bess ×2"])
def test_copies_in_a_name_are_told_apart(root: Path, name: str) -> None:
    (found,) = deck(root, team(name), BESS).diagnostics
    assert str(found).endswith(f"unknown horse '{name}': the number of copies is not part of the name")
    assert found.help == "write 'Bess', and 'qty: 2' beside it"
    (found,) = deck(root, f"kind: team\nname: T\nhorses: [{{horse: Bess}}]\nreserve: [{name}]\n", BESS).diagnostics
    assert found.help == "write 'Bess' once for each copy"


def test_names_in_one_item_of_a_list_are_told_apart(root: Path) -> None:
    ash = "kind: horse\nname: Ash\nbody: {S: 4}\n"
    for names, advice in (
        ("Bess, ash", "separate them: 'Bess; ash' in a table, [Bess, ash] in YAML"),
        ("Bess, Zed", ""),
    ):
        team_of_all = f"kind: team\nname: T\nhorses: [{{horse: Bess}}]\nreserve: ['{names}']\n"
        (found,) = deck(root, team_of_all, BESS, ash).diagnostics
        assert found.help == advice
