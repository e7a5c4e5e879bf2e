"""All type on a face is measured, whatever element of the template draws it."""

from __future__ import annotations

import pytest

from cardgen.diagnostic import Diagnostic
from cardgen.project_checks.run import CheckRequest, check_project
from tests.projects import Folder

TEXTS = {
    "label": '<text x="5" y="20" style="body" size="6pt">Points</text>',
    "block": '<cg:text x="5" y="20" width="40" height="9" style="body" size="6pt">Points</cg:text>',
    "arc": '<cg:text path="arc" cx="30" cy="40" r="20" style="body" size="6pt">Points</cg:text>',
    "scaled": '<g transform="scale(0.5)"><text x="5" y="20" style="body" size="12pt">Points</text></g>',
    "turned": '<g transform="rotate(30) scale(0.5 1)"><text x="9" y="20" style="body" size="12pt">Points</text></g>',
    "bent": '<g transform="scale(.6)"><cg:text path="arc" cx="30" cy="40" r="20" size="10pt">Points</cg:text></g>',
}
LARGE = '<g transform="scale(2)"><text x="5" y="20" style="body" size="4pt">Points</text></g>'


def findings(folder: Folder, body: str, back: str = "") -> list[str]:
    return [each.message for each in small(folder, body, back)]


def small(folder: Folder, body: str, back: str = "") -> list[Diagnostic]:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">{}</svg>'
    folder.write("cardgen.yaml", "game: warniris\n")
    folder.write("templates/warniris/relic.svg.j2", svg.format(body))
    folder.write("templates/warniris/relic.back.svg.j2", svg.format(back))
    folder.write("cards.yaml", "kind: relic\nname: Ash\ntext: A text.\n")
    outcome = check_project(CheckRequest(fit=True)).findings
    return [each.diagnostic for each in outcome if each.diagnostic.code == "CG505"]


@pytest.mark.parametrize("name", TEXTS)
def test_type_below_7_points_is_found_in_every_element(folder: Folder, name: str) -> None:
    assert findings(folder, TEXTS[name]) == ["the label 'Points' is printed at 6 pt, below 7 pt"]


def test_type_is_measured_as_it_is_printed(folder: Folder) -> None:
    assert findings(folder, LARGE) == []


def test_a_label_on_both_sides_is_found_once_and_the_back_is_looked_at(folder: Folder) -> None:
    assert len(findings(folder, TEXTS["label"], TEXTS["label"])) == 1
    assert len(findings(folder, "", TEXTS["arc"])) == 1


def test_a_text_of_the_card_is_named_by_its_key(folder: Folder) -> None:
    body = '<text x="5" y="20" style="body" size="6.96pt" field="name">{{ card.name }}</text>'
    assert findings(folder, body) == ["'name' is printed at 6.96 pt, below 7 pt"]


@pytest.mark.parametrize(
    ("body", "file"),
    [
        (TEXTS["block"], "templates/warniris/relic.svg.j2"),
        (TEXTS["block"].replace("style", 'field="text" style'), "templates/warniris/relic.svg.j2"),
        # The text is too long for larger type.
        (
            TEXTS["block"]
            .replace('size="6pt"', 'size="9pt" min-size="4pt" field="text"')
            .replace("Points", "Sun " * 38),
            "cards.yaml",
        ),
    ],
)
def test_a_size_that_a_template_sets_is_found_there(folder: Folder, body: str, file: str) -> None:
    (found,) = small(folder, body)
    assert found.place.file == file
