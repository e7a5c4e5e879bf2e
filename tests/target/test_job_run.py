"""Exports to every target, without any option of its own."""

from __future__ import annotations

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.print.request import BuildRequest
from cardgen.target.job import ExportRequest, export, prepare
from cardgen.target.registry import TARGETS
from tests.projects import Folder
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
