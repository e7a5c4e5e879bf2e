from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.model.deck import select_cards
from tests.cases import each_case
from tests.model.games import deck

CARDS = """\
cards:
- {kind: horse, name: Bess, tags: [Old, brown], body: {S: 4}}
- {kind: horse, name: Tom Thumb, tags: [brown], body: {S: 4}}
- {kind: cart, name: Wain, formerly: hay-wagon, wheels: [{S: 8}]}
"""


def chosen(root: Path, *words: str) -> list[str]:
    return [entry.card.name for entry in select_cards(deck(root, CARDS), words).cards]


@each_case(
    ("words", "names"),
    [
        ([], ["Bess", "Tom Thumb", "Wain"]),
        (["horse"], ["Bess", "Tom Thumb"]),
        (["HORSE", "wain"], ["Bess", "Tom Thumb", "Wain"]),
        (["tom-thumb"], ["Tom Thumb"]),
        (["tom thumb"], ["Tom Thumb"]),
        (["old"], ["Bess"]),
        (["Wain", "Bess"], ["Bess", "Wain"]),
        (["hay-wagon"], ["Wain"]),
        (["tags=brown"], ["Bess", "Tom Thumb"]),
        (["Tags = OLD", "wain"], ["Bess", "Wain"]),
        (["qty=1"], ["Bess", "Tom Thumb", "Wain"]),
        (["draft=false", "name=wain"], ["Bess", "Tom Thumb", "Wain"]),
    ],
)
def test_kinds_ids_names_and_tags(tmp_path: Path, words: list[str], names: list[str]) -> None:
    assert chosen(tmp_path, *words) == names


def test_unknown_words(tmp_path: Path) -> None:
    with pytest.raises(CardgenError) as caught:
        chosen(tmp_path, "hrose", "Bess", "zebra")
    assert [str(diagnostic) for diagnostic in caught.value.diagnostics] == [
        "--only: error[CG117]: no card has the kind, id, name, or tag 'hrose'; did you mean 'horse'?",
        "--only: error[CG117]: no card has the kind, id, name, or tag 'zebra'",
    ]


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("tags=browm", "no card has the value 'tags=browm'; did you mean 'tags=brown'?"),
        ("tgas=brown", "no card has the key 'tgas'; did you mean 'tags'?"),
        ("body=4", "no card has the value 'body=4'"),
    ],
)
def test_unknown_values(tmp_path: Path, word: str, message: str) -> None:
    with pytest.raises(CardgenError) as caught:
        chosen(tmp_path, word)
    assert [each.message for each in caught.value.diagnostics] == [message]


def test_a_kind_that_is_written_with_a_key_is_explained(tmp_path: Path) -> None:
    with pytest.raises(CardgenError) as caught:
        chosen(tmp_path, "kind=horse")
    assert caught.value.diagnostics[0].help == "a kind needs no key: write 'horse'"


def test_a_name_in_several_words_belongs_in_quotes(tmp_path: Path) -> None:
    with pytest.raises(CardgenError) as caught:
        chosen(tmp_path, "tom", "thumb")
    assert {each.help for each in caught.value.diagnostics} == {'put a name with spaces in quotes: "Tom Thumb"'}


def test_references_still_find_the_others(tmp_path: Path) -> None:
    some = select_cards(deck(tmp_path, CARDS), ["wain"])
    assert some.find("haulage", "horse", "bess") is not None
