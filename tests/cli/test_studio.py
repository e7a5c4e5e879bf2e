"""`cardgen studio` without its extra; tests/journeys has it in a browser."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import pytest

from tests.cli.commands import Program


@pytest.mark.parametrize("module", ["fastapi", "nicegui"])
def test_without_its_extra_the_studio_says_how_to_install_it(
    module: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [*sys.modules]:
        if name.startswith(("cardgen.studio.server", "cardgen.studio.pages", "nicegui")):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    first = module if find_spec("uvicorn") else "uvicorn"
    outcome = Program(capsys)("studio", ".", "--no-browser")
    assert outcome.code == 1
    assert f"the studio needs {first}, which is not installed" in outcome.err
    assert "pip install '.[studio]' in a checkout of cardgen" in outcome.err
