from __future__ import annotations

import pytest

from tests.cli.commands import Program


@pytest.fixture
def cardgen(capsys: pytest.CaptureFixture[str]) -> Program:
    """Return a function that runs a command: `cardgen("build", "-q")`."""
    return Program(capsys)
