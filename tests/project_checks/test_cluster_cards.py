"""Checks on a cluster find the same in the same order, whatever happens to blocks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cardgen.checking.runner import CheckResult
from cardgen.project_checks import cluster_cards
from cardgen.project_checks.run import CheckRequest, check_project
from cardgen.runtime.workspace import Workspace
from cardgen.scaffold.game import new_game
from tests.projects import STATS, Folder
from tests.runtime.cluster.test_pool import FakeLink

TEXTS = (
    "The bearer gets +1 Strength, and its Penetraton is doubled.",
    "The the target gets a maximum of 6 Mind until the end of the turn.",
    "**Bold and unbalanced. Heals 3 Wounds within 3 inches.",
)


@pytest.fixture
def short_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_cards, "CARDS_PER_TASK", 3)


def faulty_cards() -> Iterator[str]:
    """Yield files with faults of texts and numbers, and with faults that only other cards or files show."""
    for place, text in enumerate(TEXTS * 3):
        yield f'{{kind: relic, name: Relic {place % 8}, text: "{text}", art: none-{place}.png}}\n'
    for place in range(16):
        weapons = f"[Blade: CW R{place} P1 D2, Stick: RW R10 D1]"
        yield f"{{kind: minion, name: Sentinel {place}, stats: {STATS}, weapons: {weapons}}}\n"
    yield "{kind: warband, name: Band, members: [Sentinel 1, Nobody, {card: Sentinel 2, count: 40}]}\n"


def write(folder: Folder) -> None:
    for place, text in enumerate(faulty_cards()):
        folder.write(f"cards/{place:02}.yaml", text)


def reports(link: FakeLink, request: CheckRequest) -> tuple[CheckResult, CheckResult]:
    """Return the results of this computer, and of the cluster."""
    return check_project(request), check_project(request._replace(workspace=Workspace(cluster=link)))


@pytest.mark.usefixtures("short_tasks")
@pytest.mark.parametrize(
    "link",
    [FakeLink(), FakeLink(2), FakeLink(0), FakeLink(failed=(0, 3))],
    ids=["whole", "lost late", "lost", "failed"],
)
def test_findings_are_those_of_one_computer(folder: Folder, link: FakeLink) -> None:
    write(folder)
    here, there = reports(link, CheckRequest())
    assert there == here
    assert len({one.check.code for one in here.findings}) >= 8


@pytest.mark.usefixtures("short_tasks")
def test_selected_checks_are_the_same(folder: Folder) -> None:
    write(folder)
    here, there = reports(FakeLink(), CheckRequest(select=("CG2", "WN"), ignore=("unknown-term",)))
    assert there == here
    assert here.findings


@pytest.mark.usefixtures("short_tasks")
def test_cards_are_all_that_is_sent(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    write(folder)
    monkeypatch.setattr(cluster_cards, "find_here", lambda *_: pytest.fail("the cluster is not used"))
    link = FakeLink()
    reports(link, CheckRequest())
    assert link.ended == [0]
    assert str(folder.root).encode() not in b"".join(link._payloads)


@pytest.mark.usefixtures("folder")
def test_cards_of_a_game_that_is_a_file_stay_here() -> None:
    new_game("Ember")
    link = FakeLink()
    here, there = reports(link, CheckRequest())
    assert there == here
    assert here.cards
    assert link.notes == ["cards of 'ember' are checked on this computer, because its game.yaml is not sent"]


def test_few_cards_stay_here(folder: Folder) -> None:
    write(folder)
    link = FakeLink()
    here, there = reports(link, CheckRequest())
    assert there == here
    assert link._payloads == []
