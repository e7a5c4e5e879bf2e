"""Runs every benchmark: each bench_*.py beside this file, whose `rows()` yield what was measured, figure and unit.

A fourth value is the bar: the most that the figure may be. A module's `NOTE` is printed before its rows.
Name modules to run only these: `python tests/benchmarks/run.py referee`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def modules(names: list[str]) -> Iterator[Any]:
    """The modules named, or all."""
    for file in sorted(HERE.glob("bench_*.py")):
        if not names or file.stem.removeprefix("bench_") in names:
            yield import_module(f"benchmarks.{file.stem}")


def line(what: str, figure: float, unit: str, bar: float | None = None) -> str:
    """One figure, and whether it is met what was asked for."""
    shown = f"{what:<78} {figure:>10.3f} {unit:<4}"
    return shown.rstrip() if bar is None else f"{shown} at most {bar:.3g}: {'met' if figure <= bar else 'NOT MET'}"


def main(names: list[str]) -> None:
    """Print a line for each figure as soon as it is known."""
    sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]
    for module in modules(names):
        if note := getattr(module, "NOTE", ""):
            print(note, flush=True)
        for row in module.rows():
            print(line(*row), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
