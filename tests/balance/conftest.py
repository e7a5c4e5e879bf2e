from __future__ import annotations

import pytest

from cardgen.balance.arena import ComputeOptions
from cardgen.balance.report import BalanceReport, BalanceRequest, compute_report
from cardgen.balance.strengths import TeamRequest
from tests.balance import fighters
from tests.checking.harness import inside


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> BalanceReport:
    """The report on a small collection, with adjustments and teams."""
    folder = tmp_path_factory.mktemp("fighters")
    fighters.write(folder)
    with inside(folder):
        request = BalanceRequest(adjust=True, teams=TeamRequest(points=300, samples=20))
        return compute_report(request, ComputeOptions(cache=False))
