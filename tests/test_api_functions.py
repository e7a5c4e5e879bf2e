"""Functions of the API for what other commands tell and write; what is returned can be sent to other processes."""

from __future__ import annotations

import pickle
import shutil
import threading
import time
from pathlib import Path

import pytest

import cardgen
from tests.projects import Folder

EXAMPLES = Path(__file__).parents[1] / "examples"
RELIC = "kind: relic\nname: Sun Stone\nmotto: so so\ntext: Its bearer gets +1 Mind.\n"
FIGHTERS = """\
kind: character
cards:
  - {name: Ash, stats: {M: 3, B: 2, S: 2, W: 5, Mo: 10}, weapons: [Saber: CW R1 P1 D1]}
  - {name: Ember, stats: {M: 2, B: 3, S: 2, W: 4, Mo: 10}, weapons: [Club: CW R1 P1 D1]}
"""


@pytest.fixture
def project(folder: Folder) -> Folder:
    folder.write("cardgen.yaml", "game: warniris\n")
    folder.write("cards/stone.yaml", RELIC)
    return folder


def test_findings_have_what_reports_have(project: Folder) -> None:
    (finding,) = cardgen.check(select="doubled-word")
    assert (finding.name, finding.confidence) == ("doubled-word", "likely")
    assert finding.fix == cardgen.Fix("so", safe=True)


def test_fixes_are_applied_in_each_project(project: Folder) -> None:
    project.write("other/cardgen.yaml", "game: warniris\n")
    project.write("other/cards/moon.yaml", RELIC.replace("Sun", "Moon"))
    assert sorted(map(str, cardgen.fix())) == ["cards/stone.yaml", "other/cards/moon.yaml"]
    assert cardgen.check(select="doubled-word") == []


def test_texts_are_explained_and_cards_exported(project: Folder) -> None:
    (card,) = cardgen.explain(only="Sun Stone")
    assert card["id"] == "sun-stone"
    assert cardgen.export_table("relic", "relics.csv") == Path("relics.csv")
    assert "Sun Stone" in (project.root / "relics.csv").read_text("utf-8")
    with pytest.raises(cardgen.CardgenError, match="already exists"):
        cardgen.export_table("relic", "relics.csv")


def test_the_balance_is_plain_data(project: Folder) -> None:
    project.write("cards/fighters.yaml", FIGHTERS)
    assert "Ash" in str(cardgen.compute_balance())


def test_an_unknown_service_is_an_error(project: Folder) -> None:
    with pytest.raises(cardgen.CardgenError, match="nope"):
        cardgen.preflight(project.root, "nope")
    with pytest.raises(cardgen.CardgenError):
        cardgen.make_sheets("nope")


@pytest.mark.parametrize("example", ["", "long-stair"])
def test_cards_decks_and_errors_can_be_sent(project: Folder, monkeypatch: pytest.MonkeyPatch, example: str) -> None:
    """Also cards of a game that is a file, whose models are in no module."""
    if example:
        shutil.copytree(EXAMPLES / example, project.root / example)
        monkeypatch.chdir(project.root / example)
    deck = cardgen.load()
    assert [*pickle.loads(pickle.dumps(deck))] == [*deck]
    card = pickle.loads(pickle.dumps(deck[0]))
    assert (card, card.place) == (deck[0], deck[0].place)
    assert cardgen.render(card) == cardgen.render(deck[0])
    assert pickle.loads(pickle.dumps(deck[0])) == deck[0]  # after templates were loaded, too
    with pytest.raises(cardgen.CardgenError) as caught:
        cardgen.load("nowhere")
    assert pickle.loads(pickle.dumps(caught.value)).diagnostics == caught.value.diagnostics


def test_no_thread_is_left_behind(project: Folder) -> None:
    cardgen.render(cardgen.load()[0])
    for _ in range(50):
        if not any(thread.name == "cardgen-watchdog" for thread in threading.enumerate()):
            return
        time.sleep(0.1)
    pytest.fail("the watchdog does not end")
