"""Shared by command tests: runs of the program."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass

import pytest

from cardgen.cli import run


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a run of the program."""

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
    """Run the program in a process of its own, as users do."""
    done = subprocess.run(
        [sys.executable, "-m", "cardgen", *arguments],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, **environment},
        check=False,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)
