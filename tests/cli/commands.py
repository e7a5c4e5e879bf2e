"""What the tests of the commands share: a run of the program, in this process or in one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass

import pytest

from cardgen.cli import run


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run of the program came to."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Program:
    """The program, run in this process."""

    capsys: pytest.CaptureFixture[str]

    def __call__(self, *arguments: str) -> Outcome:
        self.capsys.readouterr()
        code = run(arguments)
        out, err = self.capsys.readouterr()
        return Outcome(code, out, err)


def process(*arguments: str, **environment: str) -> Outcome:
    """The program, run as users run it."""
    done = subprocess.run(
        [sys.executable, "-m", "cardgen", *arguments],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, **environment},
        check=False,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)
