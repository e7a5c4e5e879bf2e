"""Runs the benchmarks: all bench_*.py beside this file.

Their `rows()` yield what was measured, the figure, its unit, and optionally its upper limit. The `NOTE` of a module is
printed before its rows. To run only some modules, name them: `python tests/benchmarks/run.py referee`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def modules(names: list[str]) -> Iterator[Any]:
    """Return the named modules, or all."""
    for file in sorted(HERE.glob("bench_*.py")):
        if not names or file.stem.removeprefix("bench_") in names:
            yield import_module(f"benchmarks.{file.stem}")


def line(what: str, figure: float, unit: str, bar: float | None = None) -> str:
    """Return a figure's line, and whether it is within its limit."""
    shown = f"{what:<78} {figure:>10.3f} {unit:<4}"
    return shown.rstrip() if bar is None else f"{shown} at most {bar:.3g}: {'met' if figure <= bar else 'NOT MET'}"


def main(names: list[str]) -> None:
    """Print each figure as soon as it is available."""
    sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]
    for module in modules(names):
        if note := getattr(module, "NOTE", ""):
            print(note, flush=True)
        for row in module.rows():
            print(line(*row), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
