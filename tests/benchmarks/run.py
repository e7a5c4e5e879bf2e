"""Runs the benchmarks: all bench_*.py beside this file.

Their `rows()` yield what was measured, the figure, its unit, and optionally its upper limit. The `NOTE` of a module is
printed before its rows. To run only some modules, name them: `python tests/benchmarks/run.py referee`. A module with
`PARTS` can also run some of them: `python tests/benchmarks/run.py build.longer`.

The interpreter counts: one that was compiled without `--enable-optimizations`, as pyenv does by default, takes a fifth
more time than those of python.org, Debian, or uv. The first line says which one it is.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def modules(names: list[str]) -> Iterator[tuple[Any, list[str]]]:
    """Yield the named modules, or all, each with the parts to run, or none for all.

    Raises SystemExit for unknown names.
    """
    wanted = [name.partition(".") for name in names]
    files = {file.stem.removeprefix("bench_"): file.stem for file in sorted(HERE.glob("bench_*.py"))}
    for name in files if not names else dict.fromkeys(module for module, _, _ in wanted):
        if name not in files:
            sys.exit(f"unknown benchmark '{name}' (one of {', '.join(files)})")
        module = import_module(f"benchmarks.{files[name]}")
        parts = [part for one, _, part in wanted if one == name and part]
        unknown = [part for part in parts if part not in getattr(module, "PARTS", ())]
        if unknown:
            known = ", ".join(getattr(module, "PARTS", ())) or "it has none"
            sys.exit(f"unknown part '{unknown[0]}' of {name} (one of {known})")
        yield module, parts


def line(what: str, figure: float, unit: str, bar: float | None = None) -> str:
    """Return a figure's line, and whether it is within its limit."""
    shown = f"{what:<78} {figure:>10.3f} {unit:<4}"
    return shown.rstrip() if bar is None else f"{shown} at most {bar:.3g}: {'met' if figure <= bar else 'NOT MET'}"


def main(names: list[str]) -> None:
    """Print each figure as soon as it is available."""
    sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]
    print(f"Python {sys.version}", flush=True)
    for module, parts in modules(names):
        if note := getattr(module, "NOTE", ""):
            print(note, flush=True)
        for row in module.rows(parts) if parts else module.rows():
            print(line(*row), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
