"""The request of a report: which cards compete, and what they are called."""

from __future__ import annotations

from cardgen.pipeline.referee.balance.report import BalanceRequest, CarriedCards, compute_report
from cardgen.pipeline.referee.balance.round_robin import ComputeOptions
from tests.pipeline.projects import Folder

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
