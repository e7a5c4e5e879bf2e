"""Decks of other programs: each becomes a game whose cards are drawn, or is refused, as cases of `test_fuzz` are.

The readers run in this process: a fork would make a refusal of any exception.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.diagnostic import CardgenError
from cardgen.scaffold import decks
from cardgen.scaffold.game import new_game
from tests.fuzz.mutation import mutated
from tests.fuzz.test_fuzz import ENDS, draw, ends, fuzzed, written
from tests.fuzz.test_fuzz import project as project
from tests.scaffold.decks import test_cider as cider
from tests.scaffold.decks import test_mse_set as mse_set
from tests.scaffold.decks import test_squib as squib
from tests.scaffold.decks.foreign_decks import archive, dexie, png

# The cases have a limit each, whatever their number.
pytestmark = pytest.mark.timeout(0)
SOURCE = Path("source")
CSS_WORDS = (
    "div", "{{card.name}}", "{{#if", "{{/if}}", "calc(", "px", "50%", "grid", "absolute", "rgba(", "url(", ":is(",
)  # fmt: skip
RUBY_WORDS = (
    "do |x|", "end", "nil", "#{x}", "data[", "%w(", ".map { |a| a }", "layout:", ":title", "1in", "extends:",
)  # fmt: skip
SET_WORDS = ("card:", "\tname:", "include file:", "image1", "<b>", "</i-flavor>", "mse_version:", "\t\t", "set_info:")


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decks, "can_fork", lambda: False)


def becomes_a_game(make_deck: Callable[[], Path]) -> None:
    """Make a game from a deck, and draw its cards; cards can have mistakes of the deck, but the game has none."""
    written({})
    shutil.rmtree(SOURCE, ignore_errors=True)
    SOURCE.mkdir()
    source = make_deck()

    def make() -> None:
        new_game("Sumpf", table=source)
        shutil.rmtree(SOURCE)
        try:
            draw()
        except CardgenError as error:
            assert {each.place.file.partition("/")[0] for each in error.diagnostics} == {"cards"}, error
            raise

    ends(make, "decks")


def as_file(text: str) -> str:
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


@fuzzed(0.03)
@given(st.sampled_from(("front", "css", "cards")), st.data())
def test_folders_of_cider(which: str, data: st.DataObject) -> None:
    texts = {"front": cider.FRONT, "css": cider.CSS, "cards": cider.CARDS}
    texts[which] = as_file(data.draw(mutated((texts[which],), CSS_WORDS)))
    becomes_a_game(lambda: cider.project(SOURCE / "cider", **texts))


@fuzzed(0.02)
@given(mutated((cider.FRONT,), CSS_WORDS), mutated(("Ute", "3", "0"), CSS_WORDS), st.sampled_from((1, "1", None, [])))
def test_databases_of_cider(front: str, text: str, number: Any) -> None:
    tables: dict[str, list[dict[str, Any]]] = {
        "decks": [{"id": number, "name": "Helden"}],
        "cards": [{"id": 1, "deckId": 1, "name": text, "count": text, "frontCardTemplateId": number, "max-hp": number}],
        "cardTemplates": [{"id": 1, "deckId": number, "name": "Held", "html": front, "css": cider.CSS}],
        "cardAttributes": [{"id": 1, "deckId": 1, "name": text, "type": "numeric"}],
    }
    becomes_a_game(lambda: dexie(SOURCE / "database.json", {"Ute": png()}, **tables))


@fuzzed(0.03)
@given(mutated((squib.SCRIPT,), RUBY_WORDS), mutated((squib.LAYOUT,), RUBY_WORDS), st.booleans())
def test_decks_of_squib(script: str, layout: str, changes_script: bool) -> None:
    texts = {"script": as_file(script)} if changes_script else {"layout": as_file(layout)}
    becomes_a_game(lambda: squib.deck(SOURCE / "squib", **texts))


@fuzzed(0.02)
@given(mutated((mse_set.SET,), SET_WORDS))
def test_sets_of_magic_set_editor(text: str) -> None:
    files: dict[str, str | bytes] = {
        "set": text.encode("utf-8", "surrogatepass"), "card 2": mse_set.OTHER, "image1": png(),
    }  # fmt: skip
    becomes_a_game(lambda: archive(SOURCE / "x.mse-set", files))


def test_most_are_accepted() -> None:
    built, refused = ENDS["decks built"], ENDS["decks refused"]
    if built + refused < 30:
        pytest.skip("too few cases")
    assert built / (built + refused) > 0.3, ENDS
