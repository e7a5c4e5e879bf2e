"""What is too large is refused while it is read, quickly and without a crash."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

from cardgen.source import parse_document, read_document
from tests.cases import each_case

ALIASES = "a: &a [x, x]\n" + "".join(f"{key}: &{key} [*{last}, *{last}]\n" for last, key in pairwise("abcdefghi"))
PATIENCE = 10.0  # Against what never ends; how quick it is stands in the benchmarks.
Result = TypeVar("Result")


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """The result, and the seconds of processor time that the quickest of three tries took."""
    tries = []
    for _ in range(3):
        start = time.process_time()
        result = work()
        tries.append(time.process_time() - start)
    return result, min(tries)


@each_case(
    ("text", "said"),
    [
        ("[" * 10_000, "values are nested more than 32 levels deep"),
        ("[" * 100_000, "values are nested more than 32 levels deep"),
        ("[\n" * 100_000, "values are nested more than 32 levels deep"),
        ("{a: " * 100_000, "values are nested more than 32 levels deep"),
        ("- " * 100_000, "values are nested more than 32 levels deep"),
        ("? " * 100_000, "values are nested more than 32 levels deep"),
        ("- a\n" * 260_000, "the file has more than 50,000 values"),
        ("- NO\n" * 200_000, "the file has more than 1,000 problems; reading stopped"),
        ("x" * 10_000_000, "the file is larger than 1,024 KiB"),
        ("'" * 1_000_001, "unclosed quotation mark"),
        ("\0" * 1_000_000, "unprintable character U+0000 NUL (and 999999 more)"),
        ("9" * 1_000_000, "number " + "9" * 39 + "… is out of range"),
        ("--- \n" * 100_000, "the file has more than one YAML document"),
        ("a: 1\n" + "b" * 1_000_000 + ": 1", "key without a colon"),
        (ALIASES, "anchor &a is not supported"),
    ],
    ids=lambda value: value[:12],
)
def test_bombs(text: str, said: str) -> None:
    document, seconds = timed(lambda: parse_document(text, "f"))
    assert seconds < PATIENCE
    assert said in {diagnostic.message for diagnostic in document.diagnostics}
    assert len(document.diagnostics) <= 1_001
    assert all(len(diagnostic.place.source_line) <= 1_000 for diagnostic in document.diagnostics)


def test_the_depth_that_is_allowed() -> None:
    assert parse_document("[" * 32 + "]" * 32, "f").diagnostics == ()
    (problem,) = parse_document("[" * 33 + "]" * 33, "f").diagnostics
    assert str(problem.place) == "f:1:33"


def test_a_large_file_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    with path.open("wb") as file:
        file.truncate(10_000_000_000)
    document, seconds = timed(lambda: read_document(path, "large.yaml"))
    assert seconds < PATIENCE
    (problem,) = document.diagnostics
    assert str(problem) == "large.yaml: error[CG002]: the file is larger than 1,024 KiB"


def test_reading_is_fast() -> None:
    text = "name: Sentinel\nkind: minion\nstats: {M: 2, B: 2}\nweapons:\n  - Dagger: CW R1 P2 D1\ntags: [a, b]\n"
    _, seconds = timed(lambda: [parse_document(text, "f") for _ in range(1000)])
    assert seconds < PATIENCE / 4
