from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.print.request import BuildRequest
from cardgen.target.job import ExportRequest, ExportResult, export

HEADER = "format: 1\ngame: skirmish\ncards:\n"
FORM = "  - {kind: blank, name: Blank Warrior, of: warrior, qty: 2}\n"
AID = "  - {kind: aid, name: Injuries, text: Roll a die., rows: [{roll: 1 or 2, result: Knocked down.}]}\n"


@pytest.fixture
def ordered(tmp_path: Path) -> Callable[..., ExportResult]:
    def run(target: str, *cards: str) -> ExportResult:
        (tmp_path / "cards.yaml").write_text(HEADER + "".join(cards))
        request = BuildRequest(paths=(tmp_path / "cards.yaml",), output=tmp_path / "output", jobs=1, cache=False)
        return export(ExportRequest(target, request, {}))

    return run


def test_a_service_that_prints_both_sides_leaves_out_forms_without_a_back(ordered: Callable[..., ExportResult]) -> None:
    result = ordered("mpc", AID, FORM)
    assert result.copies == 1
    assert "left out 1 piece without a back: blank" in result.outcome.notes


def test_a_form_alone_has_no_back(ordered: Callable[..., ExportResult]) -> None:
    with pytest.raises(CardgenError, match="'Blank Warrior' has no back, which MakePlayingCards needs"):
        ordered("mpc", FORM)
