"""The checks of Warniris in free text: what was read of it, and what no rule allows."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import Severity
from cardgen.project_checks.run import CheckRequest
from tests.cases import each_case
from tests.checking.harness import checked

HOMEBREW = {
    "The bearer has +2 Mind, to a maximum of 6.": "maximum of 6",
    "This chip sets the bearer's Body to six until the end of the turn.": "sets the bearer's Body to six",
    "Roll 1D8: on an 8, the bearer regains 1 Wound.": "1D8",
    "At the end of each turn, roll a D10.": "D10",
    "A Minion that bears this may React twice.": "Minion that bears this",
    "Whenever a Minion React, it gets +1 Mind.": "Minion React",
    "At the end of turn 6, the bearer regains 2 Wounds.": "turn 6",
    "At the start of the seventh turn, friends regain 1 Wound.": "seventh turn",
    "The bearer may React three times each turn.": "React three times",
    "The bearer makes three Reactions each turn.": "three Reactions",
    "The bearer heals beyond its printed Wounds.": "heals beyond its printed Wounds",
    "Enemies within 80 cm have −1 Spirit.": "80 cm",
    "Its target has −3 Body, to a minimum of 0.": "minimum of 0",
}


def write_relic(text: str) -> str:
    return f'game: warniris\nkind: relic\nname: Sun Stone\nmotto: Bright.\ntext: "{text}"\n'


@each_case(("text", "words"), HOMEBREW.items())
def test_homebrew_that_breaks_a_rule_is_found_at_its_words(text: str, words: str, tmp_path: Path) -> None:
    outcome = checked(tmp_path, write_relic(text))
    column = len('text: "') + text.index(words) + 1
    found = {
        one.diagnostic.place.span.column: one.diagnostic.severity
        for one in outcome.findings
        if one.diagnostic.place.span and one.diagnostic.code.startswith("WN")
    }
    assert found.get(column) in (Severity.WARNING, Severity.ERROR)


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("At the start of the battle, the bearer regains 2 Wounds until the end of the battle.",
         "WN312", "At the start"),
        ("Once per battle, the bearer has +1 Body.", "", ""),
        ("Bearer has +1 Mind. Whoever attacks or channels at the wearer from over 12 but within 5 cm gets -1 Mind.",
         "WN314", "Whoever"),
        ("Enemies within 6cm suffer -1 Body.", "", ""),
    ],
)  # fmt: skip
def test_what_was_read_is_checked(text: str, code: str, words: str, tmp_path: Path) -> None:
    outcome = checked(tmp_path, write_relic(text), request=CheckRequest(select=("WN3",)))
    found = [(one.diagnostic.code, one.diagnostic.place.span) for one in outcome.findings]
    if not code:
        assert found == []
    else:
        [(only, span)] = found
        assert span
        assert (only, span.column) == (code, 8 + text.index(words))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Its bearer has 1 less Spirit, for it gnaws at him.", ["the text says -1 Spirit, and the effects say +1"]),
        ("Its bearer has 1 more Spirit, for it sings to him.", []),
    ],
)
def test_a_text_and_its_effects_have_the_same_sign(text: str, found: list[str], tmp_path: Path) -> None:
    card = write_relic(text) + "effects: [{bearer: {spirit: +1}}]\n"
    outcome = checked(tmp_path, card, request=CheckRequest(select=("WN204",)))
    assert [each.diagnostic.message for each in outcome.findings] == found
