"""Runs the benchmarks: all bench_*.py beside this file, part by part.

`PARTS` of a module are functions that yield what was measured, the figure, its unit, and optionally its upper limit.
Its `NOTE` is printed before. On an idle machine, each part ends within ten minutes. To run only some, name modules or
parts: `python tests/benchmarks/run.py referee build.longer`. `--list` lists all parts.
"""

from __future__ import annotations

import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def interpreter() -> str:
    """Return which Python runs, and whether it is an optimized one, which takes about a sixth less time."""
    optimized = "--enable-optimizations" in str(sysconfig.get_config_var("CONFIG_ARGS"))
    if optimized or sys.base_prefix == "/usr":
        how = "optimized" if optimized else "of the system, which usually is optimized"
    else:
        how = "not optimized: figures are worse than with a Python of python.org, Debian, or uv"
    return f"Python {sys.version} at {sys.base_prefix}, {how}"


def chosen(words: Sequence[str]) -> Iterator[tuple[Any, str]]:
    """Yield the modules and parts with these names; all without any.

    Raises SystemExit for unknown names.
    """
    names = [file.stem.removeprefix("bench_") for file in sorted(HERE.glob("bench_*.py"))]
    for word in words or names:
        name, _, part = word.partition(".")
        if name not in names:
            sys.exit(f"unknown benchmark '{name}' (one of {', '.join(names)})")
        module = import_module(f"benchmarks.bench_{name}")
        parts: Mapping[str, object] = module.PARTS
        if part and part not in parts:
            sys.exit(f"unknown part '{part}' of {name} (one of {', '.join(parts)})")
        yield from ((module, each) for each in ([part] if part else parts))


def line(what: str, figure: float, unit: str, bar: float | None = None) -> str:
    """Return a figure's line, and whether it is within its limit."""
    shown = f"{what:<78} {figure:>10.3f} {unit:<4}"
    return shown.rstrip() if bar is None else f"{shown} at most {bar:.3g}: {'met' if figure <= bar else 'NOT MET'}"


def main(words: Sequence[str]) -> None:
    """Print each figure as soon as it is available."""
    sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]
    is_list, noted = "--list" in words, None
    if not is_list:
        print(interpreter(), flush=True)
    for module, part in chosen([word for word in words if word != "--list"]):
        name = f"{module.__name__.rpartition('bench_')[2]}.{part}"
        if is_list:
            print(name)
            continue
        if noted is not module and (note := getattr(module, "NOTE", "")):
            print(note, flush=True)
        noted, started = module, time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            for row in module.PARTS[part](Path(folder)):
                print(line(*row), flush=True)
        print(f"-- {name}: {time.perf_counter() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
