"""The request of a report: which cards compete, and what they are called."""

from __future__ import annotations

import pytest

from cardgen.balance.arena import ComputeOptions
from cardgen.balance.report import BalanceRequest, CarriedCards, as_html, compute_report, page_data
from cardgen.balance.strengths import TeamRequest
from cardgen.balance.tables import as_data, as_text, heat_map
from cardgen.diagnostic import CardgenError
from tests.projects import Folder

_CARD = "- {{name: {name}, id: {id}, stats: {{M: 2, B: {body}, S: 2, W: 4, Mo: 10}}, weapons: [{{Axe: CW R1 D1}}]}}\n"


def test_cards_with_the_same_name_have_their_ids(folder: Folder) -> None:
    cards = [("Guard", "guard-east", 1), ("Guard", "guard-west", 5), ("Scout", "scout", 3)]
    text = "".join(_CARD.format(name=name, id=id_, body=body) for name, id_, body in cards)
    folder.write("cards/all.yaml", f"game: warniris\nkind: character\ncards:\n{text}")
    folder.write("cards/relic.yaml", "{kind: relic, name: Plate, effects: [{bearer: {body: +1}}]}\n")
    request = BalanceRequest(carried=CarriedCards(("Plate",)), adjusted=("guard", "guard (guard-west) + plate"))
    report = compute_report(request, ComputeOptions(cache=False))
    plain = ("Guard (guard-east)", "Guard (guard-west)", "Scout")
    assert report.balance.names == tuple(name for card in plain for name in (card, f"{card} + Plate"))
    assert report.balance.gains[0].least[1] < report.balance.gains[0].most[1]
    assert [*report.adjustments] == [0, 2, 3]


@pytest.mark.parametrize(
    ("request_", "place", "message", "help_"),
    [
        (BalanceRequest(cost="name"), "--cost", "field 'name' has no numbers", "choose a numeric field"),
        (BalanceRequest(cost="stats"), "--cost", "field 'stats' has fields of its own", "stats.body"),
        (BalanceRequest(fields=("weapons",)), "--by", "field 'weapons' has fields of its own", "weapons.name"),
        (BalanceRequest(fields=("nam",)), "--by", "unknown field 'nam'; did you mean 'name'?", "fields are"),
        (BalanceRequest(teams=TeamRequest(9, seed="\udcff")), "--seed", "must be text in UTF-8", ""),
    ],
)
def test_fields_and_seeds_that_cannot_be_used_are_refused(
    folder: Folder, request_: BalanceRequest, place: str, message: str, help_: str
) -> None:
    cards = "".join(_CARD.format(name=name, id=name.lower(), body=3) for name in ("Guard", "Scout"))
    folder.write("cards/all.yaml", f"game: warniris\nkind: character\ncards:\n{cards}")
    with pytest.raises(CardgenError) as caught:
        compute_report(request_, ComputeOptions(cache=False))
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.place.file, diagnostic.message) == (place, message)
    assert help_ in (diagnostic.help or "")


@pytest.mark.parametrize(
    ("request_", "note"),
    [
        (BalanceRequest(), ""),
        (BalanceRequest(adjust=True), "no changes are proposed: 0 of 6 cards have a cost"),
        (BalanceRequest(adjusted=("Guard 1",)), "no changes are proposed: 0 of 6 cards have a cost"),
        (BalanceRequest(adjust=True, cost="stats.body"), "the score of every card is in the band of its cost"),
    ],
)
def test_the_report_says_why_no_changes_are_proposed(folder: Folder, request_: BalanceRequest, note: str) -> None:
    cards = "".join(_CARD.format(name=f"Guard {n}", id=f"guard-{n}", body=n % 5 + 1) for n in range(6))
    folder.write("cards/all.yaml", f"game: warniris\nkind: character\ncards:\n{cards}")
    report = compute_report(request_, ComputeOptions(cache=False))
    assert note in report.adjustment_note
    assert (not note) or report.adjustment_note in as_text(report)
    assert as_data(report)["adjustment_note"] == report.adjustment_note
    assert bool(report.adjustment_note) is bool(note)
    assert not any(report.adjustments.values())


def test_a_field_of_the_project_can_be_the_cost(folder: Folder) -> None:
    folder.write("cardgen.yaml", "game: warniris\nkinds: {character: {fields: {price: {type: integer}}}}\n")
    cards = "".join(
        _CARD.format(name=name, id=name.lower(), body=body).replace("id:", f"price: {10 * body}, id:")
        for name, body in (("Guard", 3), ("Scout", 2))
    )
    folder.write("cards/all.yaml", f"game: warniris\nkind: character\ncards:\n{cards}")
    report = compute_report(BalanceRequest(cost="price", fields=("price",)), ComputeOptions(cache=False))
    assert [*report.strengths.costs] == [30.0, 20.0]


def test_what_the_duels_leave_out_is_said_before_the_numbers(folder: Folder) -> None:
    """Each rule once, in the text, the data, and the page; also of cards that are carried."""
    cards = "".join(_CARD.format(name=name, id=name.lower(), body=3) for name in ("Guard", "Scout", "Spy"))
    trick = "abilities: [{name: Trick, text: Wolves like her.}], weapons"
    text = cards.replace("weapons", trick, 1)
    folder.write("cards/all.yaml", f"game: warniris\nkind: character\ncards:\n{text}")
    folder.write("cards/relic.yaml", "{kind: relic, name: Plate, text: It hums.}\n")
    report = compute_report(BalanceRequest(carried=CarriedCards(("Plate",))), ComputeOptions(cache=False))
    notes = [line for line in as_text(report) if line.startswith("not adjudicated: ")]
    assert "not adjudicated: Guard: 'Trick' has only text" in notes
    assert {f"not adjudicated: {name}: 'Plate' has only text" for name in ("Guard", "Scout", "Spy")} <= {*notes}
    assert len(notes) == len({*notes}) == len(report.left_out)
    assert as_text(report)[: len(notes)] == notes
    assert as_data(report)["not adjudicated"] == [*report.left_out]
    assert page_data(report)["leftOut"] == [*report.left_out]
    page = as_html(report).decode()
    assert page.index('id="left-out"') < page.index('id="summary"')
    labels = [label.text for label in heat_map(report).labels]
    assert labels[: len(notes)] == notes


def test_a_picture_names_some_of_many_rules_that_it_leaves_out(folder: Folder) -> None:
    cards = "".join(_CARD.format(name=f"Spy {name}", id=name.lower(), body=3) for name in "ABCDEFGHIJKL")
    text = cards.replace("weapons", "abilities: [{name: Trick, text: Wolves like her.}], weapons")
    folder.write("cards/all.yaml", f"game: warniris\nkind: character\ncards:\n{text}")
    report = compute_report(BalanceRequest(), ComputeOptions(cache=False))
    labels = [label.text for label in heat_map(report).labels]
    assert all(label.startswith("not adjudicated: Spy ") for label in labels[:10])
    assert labels[10:12] == ["and 2 more rules", "chance of the row against the column, in %"]
