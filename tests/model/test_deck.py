from __future__ import annotations

from pathlib import Path

import pytest

from tests.model.games import Cart, Horse, deck, problems

HORSE = "name: Bess\nkind: horse\nbody: {S: 4}\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_may_be_one_card(root: Path) -> None:
    found = deck(root, f"format: 1\ngame: haulage\n{HORSE}")
    (entry,) = found.cards
    assert (found.diagnostics, found.file_count) == ((), 1)
    assert (entry.game, entry.kind, entry.document.file) == ("haulage", "horse", "a.yaml")
    assert isinstance(entry.card, Horse)
    assert (entry.card.id, entry.card.body.spokes) == ("bess", 4)
    assert str(entry.place(("body", "spokes"))) == "a.yaml:5:11"


def test_a_file_may_be_a_deck(root: Path) -> None:
    text = """\
format: 1
kind: horse
defaults:
  qty: 8
  body: {S: 4, radius: 20}
cards:
  - name: Bess
  - name: Tom
    count: 2
    body: {spokes: 5}
  - name: Wain
    kind: cart
    wheels: [{S: 8}]
    body:
"""
    found = deck(root, text.replace("    body:\n", ""))
    assert [str(diagnostic) for diagnostic in found.diagnostics] == [
        "a.yaml:5:3: error[CG101]: unknown key 'body' for kind 'cart'; it belongs to kind 'horse'"
    ]
    bess, tom = found.cards
    assert isinstance(bess.card, Horse)
    assert isinstance(tom.card, Horse)
    assert (bess.card.qty, bess.card.body.spokes, bess.card.body.radius) == (8, 4, 20)
    assert (tom.card.qty, tom.card.body.spokes, tom.card.body.radius) == (2, 5, 20)
    places = [str(tom.place(route)) for route in ((), ("qty",), ("body", "spokes"), ("body", "radius"), ("motto",))]
    assert places == ["a.yaml:8:5", "a.yaml:9:12", "a.yaml:10:20", "a.yaml:5:24", "a.yaml:8:5"]
    assert str(bess.place(("qty",), key=True)) == "a.yaml:4:3"


def test_cards_of_several_kinds(root: Path) -> None:
    text = "cards:\n- {kind: horse, name: Bess, body: {S: 4}}\n- {kind: cart, name: Wain, wheels: [{S: 8}]}\n"
    assert [(entry.kind, type(entry.card)) for entry in deck(root, text).cards] == [("horse", Horse), ("cart", Cart)]


def test_the_kind_may_stand_with_the_defaults(root: Path) -> None:
    text = "kind: cart\ndefaults: {kind: horse, body: {S: 4}}\ncards: [{name: Bess}]\n"
    assert [entry.kind for entry in deck(root, text).cards] == ["horse"]


def test_the_files_game_goes_before_the_projects(root: Path) -> None:
    found = deck(root, f"game: haulage\n{HORSE}", HORSE.replace("Bess", "Tom"), settings="game: racing\n")
    assert [entry.game for entry in found.cards] == ["haulage", "racing"]


def test_a_list_of_cards_needs_a_key_above_it(root: Path) -> None:
    (diagnostic,) = deck(root, "- name: x").diagnostics
    assert diagnostic.help == "write 'cards:' above the list"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a.yaml: error[CG113]: the file is empty"),
        ("translations: {bess: {name: Bea}}", "a.yaml:1:1: error[CG113]: the file has translations, but its name "
         "ends in no language"),
        ("# only a comment", "a.yaml: error[CG113]: the file contains only comments"),
        ("- name: x", "a.yaml:1:1: error[CG113]: a card file must be a map, not a list"),
        ("hello", "a.yaml:1:1: error[CG113]: a card file must be a map, not 'hello'"),
        (f"format: 2\n{HORSE}", "a.yaml:1:9: error[CG110]: unknown format 2 (must be 1)"),
        (f"format: x\n{HORSE}", "a.yaml:1:9: error[CG103]: 'format' must be a whole number, not 'x'"),
        (f"game: haulag\n{HORSE}", "a.yaml:1:7: error[CG111]: unknown game 'haulag'; did you mean 'haulage'?"),
        (f"game: 5\n{HORSE}", "a.yaml:1:7: error[CG103]: 'game' must be text, not 5"),
        ("name: A", "a.yaml:1:1: error[CG102]: missing key 'kind'"),
        ("name: A\nkind:", "a.yaml:2:6: error[CG103]: 'kind' must be text, but is empty"),
        ("name: A\nkind: 5", "a.yaml:2:7: error[CG103]: 'kind' must be text, not 5"),
        ("name: A\nkind: Horse", "a.yaml:2:7: error[CG112]: unknown kind 'Horse'; did you mean 'horse'?"),
        ("name: A\nkind: zebra", "a.yaml:2:7: error[CG112]: unknown kind 'zebra'"),
        ("name: A\nkind: zebra\nbody: {S: 4}\nspeed: 3",
         "a.yaml:2:7: error[CG112]: unknown kind 'zebra'; did you mean 'horse'?"),
        ("kind: wagon\ndefaults: {wheels: [{S: 8}]}\ncards: [{name: A}, {name: B}]",
         "a.yaml:1:7: error[CG112]: unknown kind 'wagon'; did you mean 'cart'?"),
        ("name: A\nknd: horse", "a.yaml:2:1: error[CG101]: unknown key 'knd'; did you mean 'kind'?"),
        (f"{HORSE}speeed: 3", "a.yaml:4:1: error[CG101]: unknown key 'speeed' for kind 'horse'; "
         "did you mean 'speed'?"),
        (f"{HORSE}wheels: []", "a.yaml:4:1: error[CG101]: unknown key 'wheels' for kind 'horse'; "
         "it belongs to kind 'cart'"),
        (f"{HORSE}spokes: 3", "a.yaml:4:1: error[CG101]: unknown key 'spokes' for kind 'horse'; "
         "it belongs in 'body'"),
        (f"{HORSE}defaults: {{}}", "a.yaml:4:1: error[CG101]: unknown key 'defaults' for kind 'horse'; "
         "it belongs in a file with a list of 'cards'"),
        ("kind: horse\nname: A\nbody: {S: 4, name: B}", "a.yaml:3:14: error[CG101]: unknown key 'name'; "
         "it belongs on the card itself"),
        ("cards: []", "a.yaml:1:8: error[CG104]: 'cards' must not be empty"),
        ("cards: 5", "a.yaml:1:8: error[CG103]: 'cards' must be a list, not 5"),
        ("cards: [5]", "a.yaml:1:9: error[CG103]: a card must be a map, not 5"),
        ("kind: horse\ndefaults: 5\ncards: [{name: A, body: {S: 4}}]",
         "a.yaml:2:11: error[CG103]: 'defaults' must be a map, not 5"),
        ("name: A\ncards: [{kind: horse, name: A, body: {S: 4}}]",
         "a.yaml:1:1: error[CG101]: unknown key 'name'; it belongs on the cards below"),
        ("cards: [{kind: horse, name: A, body: {S: 4}, game: x}]",
         "a.yaml:1:46: error[CG101]: unknown key 'game' for kind 'horse'; it belongs at the top of the file"),
        ("cards: [{kind: 5, name: A}]", "a.yaml:1:16: error[CG103]: 'kind' must be text, not 5"),
        ("kind: horze\ncards: [{name: A}, {name: B}]",
         "a.yaml:1:7: error[CG112]: unknown kind 'horze'; did you mean 'horse'?"),
        ("kind: horse\ncards: [{name: A, kind: }]", "a.yaml:2:25: error[CG103]: "
         "'kind' must be text, but is empty"),
        ("cards: [{name: A}]", "a.yaml:1:9: error[CG102]: missing key 'kind'"),
        ("a: [1", "a.yaml:1:4: error[CG005]: list is missing a comma or its closing ']'"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file(root: Path, text: str, said: str) -> None:
    assert problems(root, text) == [said]


def test_a_misspelt_list_of_cards(root: Path) -> None:
    assert problems(root, "kind: horse\ncrads: [{name: A}]\n") == [
        "a.yaml:2:1: error[CG101]: unknown key 'crads'; did you mean 'cards'?"
    ]


def test_a_missing_kind_is_helped_with(root: Path) -> None:
    (diagnostic,) = deck(root, "name: A").diagnostics
    assert diagnostic.help == "add 'kind: …' with one of cart, horse, team"


def test_an_unknown_game_of_the_project_is_said_once(root: Path) -> None:
    assert problems(root, HORSE, HORSE, settings="gap: 1\ngame: racng\n") == [
        "cardgen.yaml:2:7: error[CG111]: unknown game 'racng'; did you mean 'racing'?"
    ]


def test_an_error_in_the_defaults_is_said_once(root: Path) -> None:
    text = "kind: horse\ndefaults: {body: {S: 2}, qty: x}\ncards:\n- name: A\n- name: B\n- {name: C, body: {S: 3}}\n"
    assert problems(root, text) == [
        "a.yaml:2:22: error[CG104]: 'S' must be at least 3, not 2",
        "a.yaml:2:31: error[CG103]: 'qty' must be a whole number, not 'x'",
    ]


def test_what_is_missing_is_missed_at_each_card(root: Path) -> None:
    text = "kind: horse\ndefaults: {body: {radius: 2}}\ncards:\n- name: A\n- name: B\n  body: {S: 4}\n- qty: 2\n"
    assert problems(root, text) == [
        "a.yaml:2:18: error[CG102]: missing key 'spokes'",
        "a.yaml:7:3: error[CG102]: missing key 'name'",
    ]


def test_a_synonym_on_a_card_replaces_the_default(root: Path) -> None:
    text = "kind: cart\ndefaults: {load: hay, quantity: 3}\ncards:\n- {name: A, cargo: coal, wheels: [{S: 3}]"
    (entry,) = deck(root, f"{text}, copies: 5}}\n").cards
    assert isinstance(entry.card, Cart)
    assert (entry.card.load, entry.card.qty) == ("coal", 5)
    assert str(entry.place(("load",))) == "a.yaml:4:20"


def test_short_forms_and_aliases_have_places(root: Path) -> None:
    (entry,) = deck(root, "kind: cart\nname: A\nart: a/b.png\nwheels:\n- S: 3\nif: dusk\n").cards
    assert str(entry.place(("art", "file"))) == "a.yaml:3:6"
    assert str(entry.place(("art", "focus", 1))) == "a.yaml:3:6"
    assert str(entry.place(("when",))) == str(entry.place(("if",))) == "a.yaml:6:5"
    assert str(entry.place(("wheels", 0, "radius"))) == "a.yaml:5:3"


def test_all_problems_of_all_files_are_sorted(root: Path) -> None:
    said = problems(root, "kind: horse\nqty: NO\n", "- x", HORSE + "a: [", "name: A\nkind: x\nqty: 3")
    assert [line.split(" ")[0] for line in said] == [
        "a.yaml:1:1:", "a.yaml:1:1:", "a.yaml:2:6:", "b.yaml:1:1:", "c.yaml:4:5:", "d.yaml:2:7:",
    ]  # fmt: skip


def test_good_cards_are_kept_beside_bad_ones(root: Path) -> None:
    found = deck(root, "kind: horse\ncards:\n- {name: A, body: {S: 4}}\n- {name: B}\n- {name: C, body: {S: 4}}\n")
    assert [entry.card.name for entry in found.cards] == ["A", "C"]
    assert len(found.diagnostics) == 1


def test_files_keep_their_order(root: Path) -> None:
    found = deck(root, HORSE, HORSE.replace("Bess", "Ann"), HORSE.replace("Bess", "Tom"))
    assert [entry.card.name for entry in found.cards] == ["Bess", "Ann", "Tom"]


def test_a_file_that_cannot_be_read_is_a_problem_of_that_file(root: Path) -> None:
    from cardgen.model.deck import read_deck
    from cardgen.project.project import Project

    found = read_deck(Project.find(root), [root / "none.yaml"], {}, "haulage")
    assert [str(diagnostic) for diagnostic in found.diagnostics][-1].startswith("none.yaml: error[CG001]")
