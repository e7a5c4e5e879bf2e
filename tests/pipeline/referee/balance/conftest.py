from __future__ import annotations

import pytest

from cardgen.pipeline.referee.balance.report import BalanceReport, BalanceRequest, compute_report
from cardgen.pipeline.referee.balance.round_robin import ComputeOptions
from cardgen.pipeline.referee.balance.teams import TeamRequest
from tests.checking.harness import inside
from tests.pipeline.referee.balance import fighters


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> BalanceReport:
    """The report on a small collection, with adjustments and teams."""
    folder = tmp_path_factory.mktemp("fighters")
    fighters.write(folder)
    with inside(folder):
        request = BalanceRequest(adjust=True, teams=TeamRequest(points=300, samples=20))
        return compute_report(request, ComputeOptions(cache=False))
