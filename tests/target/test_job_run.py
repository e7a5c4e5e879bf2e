"""Exports to every target, without any option of its own."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.options import PLACEHOLDER, SKIP
from cardgen.print.request import BuildRequest
from cardgen.target.job import ExportRequest, ExportResult, export, prepare
from cardgen.target.registry import TARGETS
from tests.projects import STATS, Folder
from tests.target.exports import small_project

# Targets that cannot export poker cards without a profile, and what they say.
_REFUSED = {
    "drivethru": "needs a color profile",
    "meinspiel": "does not cut pieces of 63 x 88 mm",
    "press": "needs a color profile",
}


@pytest.mark.parametrize("name", [*TARGETS])
def test_a_target_needs_no_options(folder: Folder, name: str) -> None:
    small_project(folder, 1)
    build = BuildRequest(output=folder.root / "out", jobs=1)
    request = ExportRequest(name, build, {"dpi": 72})
    if name in _REFUSED:
        with pytest.raises(CardgenError, match=_REFUSED[name]):
            export(request)
    else:
        assert export(request).files


@pytest.mark.parametrize("name", [*TARGETS])
def test_a_job_has_all_options_of_its_target(folder: Folder, name: str) -> None:
    small_project(folder, 1)
    job, _ = prepare(ExportRequest(name, BuildRequest(jobs=1), {"dpi": 72}))
    assert dict(job.options) == {"dpi": 72} | {option.name: option.default for option in TARGETS[name].options}


@pytest.mark.parametrize("name", [each for each in TARGETS if each not in _REFUSED])
def test_an_export_can_go_on_without_the_cards_with_mistakes(folder: Folder, name: str) -> None:
    small_project(folder, 2)
    folder.write("cards/broken.yaml", "kind: minion\nname: Broken\n")
    folder.write("cards/wide.yaml", f"kind: minion\nname: Wide\nstats: {STATS}\ntext: {'wide ' * 400}\n")

    def run(**options: Any) -> ExportResult:
        return export(ExportRequest(name, BuildRequest(output=folder.root / "out", jobs=1, **options), {"dpi": 72}))

    with pytest.raises(CardgenError, match="broken"):
        run()
    result = run(keep_going=SKIP)
    assert [card.name for card in result.skipped] == ["Broken", "Wide"]
    assert all(card.problems for card in result.skipped)
    if name == "mpc":  # A placeholder has no back, which the service needs.
        with pytest.raises(CardgenError, match="'Broken' has no back"):
            run(keep_going=PLACEHOLDER)
        return
    shown = run(keep_going=PLACEHOLDER)
    assert (shown.cards, shown.skipped) == (result.cards, result.skipped)
    assert sum(shown.files.values()) > sum(result.files.values())
    assert run(only=("minion-a",)).cards == 1
