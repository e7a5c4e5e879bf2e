"""Runs every benchmark: each bench_*.py beside this file, whose `rows()` yield what was measured, figure and unit.

Name modules to run only these: `python tests/benchmarks/run.py referee`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def rows(names: list[str]) -> Iterator[tuple[str, float, str]]:
    """The rows of the modules named, or of all."""
    for file in sorted(HERE.glob("bench_*.py")):
        if not names or file.stem.removeprefix("bench_") in names:
            module: Any = import_module(f"benchmarks.{file.stem}")
            yield from module.rows()


def main(names: list[str]) -> None:
    """Print a line for each figure as soon as it is known."""
    sys.path.insert(0, str(HERE.parent))
    for what, figure, unit in rows(names):
        print(f"{what:<78} {figure:>10.3f} {unit}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
