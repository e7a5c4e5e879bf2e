"""Wrong words in texts of cards, with a dictionary and without one."""

from __future__ import annotations

import json

import pytest

from cardgen.checking.checks import misspelled_word
from cardgen.project_checks.run import CheckRequest, check_project
from cardgen.text import dictionary
from tests.cases import each_case
from tests.projects import Folder

ONLY = CheckRequest(select=("CG210",))
SLIPS = [
    ("The bearer takes 1 damgae.", ["damgae"]),
    ("Damgae is not taken.", ["Damgae"]),
    ("It has +1 movment and +1 movementt.", ["movment", "movementt"]),
    ("It loses {damgae} and [movment]{.damgae}.", ["movment"]),
]


def words(folder: Folder, text: str, key: str = "text", settings: str = "") -> list[str]:
    folder.write("cardgen.yaml", f"game: warniris\n{settings}\n")
    rules = "" if key == "text" else "text: It does nothing.\n"
    folder.write("cards/a.yaml", f"kind: relic\nname: Gloamwood Horn\n{rules}{key}: {json.dumps(text)}\n")
    found = check_project(ONLY).findings
    assert all(each.diagnostic.message.startswith("unknown word '") for each in found)
    return [each.diagnostic.message.split("'")[1] for each in found]


@pytest.fixture
def _no_dictionary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dictionary, "_dictionary", lambda _: None)
    monkeypatch.setattr(dictionary, "_file", lambda _: b"")


@pytest.mark.usefixtures("_no_dictionary")
@each_case(("text", "found"), [*SLIPS, ("Teh foe glwos.", [])])
def test_slips_in_terms_are_found_without_a_dictionary(text: str, found: list[str], folder: Folder) -> None:
    assert words(folder, text) == found


@pytest.mark.usefixtures("_no_dictionary")
def test_a_motto_is_no_rules_text(folder: Folder) -> None:
    assert words(folder, "All damgae is done.", "motto") == []


@pytest.mark.skipif(not dictionary.Spelling("en").has_dictionary, reason="the extra 'spelling' is not installed")
@each_case(
    ("text", "found"),
    [
        *SLIPS,
        ("Teh foe glwos, and gloamwood grows.", ["Teh", "glwos"]),
        ("Skarnvald trees and the Skarnvald itself.", []),  # names
        ("Its colour is NTO grey; see https://example.org/qwxyz.", []),
        ("Turn snake_csae and qwx_2_wxq over.", []),
        ("Roll a d6 and reroll it.", []),
        ("The skirl sounds.", []),  # `spelling` lists it
        ("Niemand zählt die Glocken zweimal, und keiner hört ihnen lange zu.", []),  # in another language
    ],
)
def test_other_words_are_found_with_a_dictionary(text: str, found: list[str], folder: Folder) -> None:
    assert words(folder, text, settings="spelling: [Skirl]") == found


@pytest.mark.skipif(not dictionary.Spelling("de").has_dictionary, reason="the extra 'spelling' is not installed")
def test_the_language_of_a_card_decides(folder: Folder) -> None:
    assert words(folder, "Der Träger erhält nichts.", settings="language: de") == []
    assert words(folder, "Der Träger erhlät nichts.", settings="language: de") == ["erhlät"]
    assert words(folder, "Der Träger erhlät nichts.", settings="language: ja") == []


def test_names_on_the_card_itself_need_no_look_at_other_cards(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(misspelled_word, "is_of_name", None)
    assert words(folder, "The gloamwood grows, and the horn calls.") == []


def test_the_correction_is_for_the_author_to_accept(folder: Folder) -> None:
    words(folder, "The bearer takes 1 damgae.")
    (finding,) = check_project(ONLY).findings
    assert finding.fix is not None
    assert (finding.fix.text, finding.fix.safe) == ("Damage", False)
    assert finding.diagnostic.help == "write 'Damage', or add 'damgae' to 'spelling' in cardgen.yaml if it is correct"
