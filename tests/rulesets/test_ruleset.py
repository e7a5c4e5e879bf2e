"""The glossary and the rulings of a game, read from text files, and the texts with bold terms."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.model.card import Card
from cardgen.referee.parameters import Ruling
from cardgen.rulesets.phrases import printed_text
from cardgen.rulesets.ruleset import GlossaryTerm, Kind, cheapest_way_back, read_glossary, read_rulings
from cardgen.validation.base import Model

GLOSSARY = """\
# The terms of a game.

**Heat, heats**: What a brave rolls against: a number.
fire, Fires: What burns.
"""
RULINGS = """\
# What the rulebook leaves open.
sixes: Does a 6 succeed?
  never: No: it never does.
  with-heat: Yes.

wind: Does the wind blow?
  always: Yes.
"""


class Thing(Model):
    text: str | None = None


def written(folder: Path, text: str) -> Path:
    path = folder / "words.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_terms_are_read(tmp_path: Path) -> None:
    assert read_glossary(written(tmp_path, GLOSSARY)) == (
        GlossaryTerm("Heat", "What a brave rolls against: a number.", ("Heat", "Heats"), True, ("Heats",)),
        GlossaryTerm("Fire", "What burns.", ("Fire", "Fires"), False, ("Fire",)),
    )


def test_rulings_are_read(tmp_path: Path) -> None:
    assert read_rulings(written(tmp_path, RULINGS)) == (
        Ruling("sixes", "Does a 6 succeed?", {"never": "No: it never does.", "with-heat": "Yes."}),
        Ruling("wind", "Does the wind blow?", {"always": "Yes."}),
    )


def test_a_line_without_a_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"words.txt:2: write 'NAME: TEXT'"):
        read_rulings(written(tmp_path, "sixes: Does a 6 succeed?\n  never\n"))


def test_bold_terms_are_bold_in_printed_text(tmp_path: Path) -> None:
    glossary = written(tmp_path, GLOSSARY)
    assert printed_text(Thing(text="Gives Heat and Fire."), lambda thing: ("Not this.",), glossary) == (
        "Gives **Heat** and Fire."
    )
    assert printed_text(Thing(), lambda thing: ("Heats.", "Burns."), glossary) == "**Heats**. Burns."
    assert printed_text(Thing(), lambda thing: (), glossary) == ""


def test_an_example_is_a_text_or_the_path_of_a_file(tmp_path: Path) -> None:
    assert Kind(Card, "standard").example_text == ""
    assert Kind(Card, "standard", "heat: 3\n").example_text == "heat: 3\n"
    assert Kind(Card, "standard", written(tmp_path, "heat: 4\n")).example_text == "heat: 4\n"


@pytest.mark.parametrize(
    ("surplus", "advice"),
    [
        (9, "take out 'Ann' (10)"),  # two rats are not enough, and three cost more
        (3, "take out 1 of 'Rat' (4)"),
        (12, "take out 3 of 'Rat' (12)"),
        (13, "take out 4 of 'Rat' (16)"),
        (40, "take out members that cost 40 in all"),
    ],
)
def test_the_cheapest_way_back_to_a_limit(surplus: float, advice: str) -> None:
    members = [("Ann", 10, 1), ("Rat", 4, 4), ("Flag", 0, 3)]
    assert cheapest_way_back(members, surplus) == advice
