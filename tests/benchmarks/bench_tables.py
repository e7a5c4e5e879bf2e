"""Benchmark of tables: 2,000 rows of XLSX, and a large collection in public JSON beside the same cards in YAML."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from cardgen.tables.writer import write_xlsx
from tests.benchmarks.decks import ENDINGS, OMENS
from tests.benchmarks.measure import CARDGEN, ROOT, Row, cost, in_turn, memory
from tests.benchmarks.warcry_collection import write_json, write_yaml

ROWS = 2_000
_RUNS = 5
_CHECK = [*CARDGEN, "check", "--no-cache", "--fail-level", "error"]
_READ = "import openpyxl; [list(sheet.values) for sheet in openpyxl.load_workbook('minions.xlsx')]"
_OPENPYXL = [sys.executable, "-c", _READ]
# The longest text that fits on a card; the collection has one of 954 characters.
_LONGEST = 766
# Processor time on the machine where the limits were set.
_MAX_SECONDS, _MAX_OF_OPENPYXL, _MAX_RATIO, _MAX_MEMORY, _MAX_UNFIT = 1.0, 2.5, 3.0, 250.0, 3.0


def _workbook(folder: Path) -> Iterator[Row]:
    _write_spreadsheet(folder / "xlsx")
    ours, theirs = in_turn(*(partial(cost, each, folder / "xlsx") for each in (_CHECK, _OPENPYXL)), runs=_RUNS)
    # Beside another reader in the same run, the machine does not matter.
    limit = max(_MAX_SECONDS, _MAX_OF_OPENPYXL * theirs.processor)
    yield f"{ROWS} rows of XLSX to checked cards", ours.processor, "s", limit
    yield "  of the time in which openpyxl reads them", ours.processor / theirs.processor, "x"


def _public(folder: Path) -> Iterator[Row]:
    write_json(folder / "all")
    yield "texts of 2,277 cards that do not fit", _unfit(folder / "all"), "", _MAX_UNFIT
    write_json(folder / "json", _LONGEST)
    write_yaml(folder / "yaml", _LONGEST)
    for what, command in (("checked", _CHECK), ("built", [*CARDGEN, "build", "--no-cache", "-q"])):
        by_json, by_yaml = in_turn(*(partial(cost, command, folder / each) for each in ("json", "yaml")), runs=3)
        yield f"2,277 cards in public JSON, {what}", by_json.processor, "s"
        yield (
            f"  as a multiple of the same cards in YAML, {what}",
            by_json.processor / by_yaml.processor,
            "x",
            _MAX_RATIO,
        )
        yield f"  memory, {what}", memory(command, folder / "json"), "MiB", _MAX_MEMORY


PARTS = {"workbook": _workbook, "public": _public}


def _unfit(folder: Path) -> float:
    """Return the number of texts that do not fit on their card."""
    command = [*CARDGEN, "check", "--no-cache", "--fit", "--select", "overflow", "--json"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    return float(len(json.loads(done.stdout)["findings"]))


def _write_spreadsheet(folder: Path) -> None:
    """Write a project with a workbook of different minions."""
    folder.mkdir()
    names = ("name", "motto", "tags", "stats.M", "stats.B", "stats.S", "stats.W", "stats.Mo", "weapons")
    content = write_xlsx([names, *map(_minion, range(ROWS))], "Minions")
    (folder / "minions.xlsx").write_bytes(content)
    (folder / "cardgen.yaml").write_text("tables: {minions.xlsx: {kind: minion}}\n", encoding="utf-8")


def _minion(index: int) -> list[str]:
    stats = [index % 5 + 1, index // 5 % 5 + 1, index // 25 % 5 + 1, index % 3 + 1, index // 125 + 4]
    motto = f"{OMENS[index % len(OMENS)]}. {ENDINGS[index // 7 % len(ENDINGS)]}"
    weapons = f"Dagger: CW R1 P{index % 3 + 1} D{index % 2 + 1}; Rifle: RW R{index % 20 + 5} P1 D{index % 3 + 1}"
    return [f"Sentinel {index}", motto, "north; bench", *map(str, stats), weapons]
