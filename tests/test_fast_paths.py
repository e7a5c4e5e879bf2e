"""The program gives the same with its fast paths and without them.

Demanded are equal bytes of everything, with one exception: artwork that is not translated to PDF is drawn by CairoSVG,
which writes other operators and smooths edges a little otherwise. So PDF files of cards are compared twice: byte by
byte with all other fast paths turned off, and their first pages as pictures of 150 dpi with all of them turned off.
There a page may be off by 0.2 of 255 levels on average, and one pixel in a thousand by more than 16 levels.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pypdfium2
import pytest
from PIL import ImageChops, ImageStat

from cardgen.deck.deck import load_deck
from cardgen.model.card import Entry
from cardgen.print import build_manifest
from tests.export.pdf.inspection import picture_of
from tests.libcairo import needs_cairo
from tests.random_cases import dice_for, number_of_cases, of_today

ROOT = Path(__file__).parents[1]
SWITCH = "CARDGEN_NO_FAST"
# Whoever imports one of these takes a fast path of odds: it gives bounds, or races.
SHORT_CUTS = {"AbstractedCall", "CounterBounds", "race_scores"}
# Runs commands one after the other in one process; each comes with the exit code that it should have.
_PROGRAM = """
import json, sys
from cardgen.cli import run
for code, *arguments in json.loads(sys.argv[1]):
    assert run(arguments) == code, arguments
"""
# The same with only the translation of SVG to PDF turned on again.
_TRANSLATING = f"from cardgen.export.pdf import translator\ntranslator.FAST = True\n{_PROGRAM}"
# Cards of each kind that are drawn: the one with the most words, and others at random; `make fuzz` draws all, and other
# runs half of the kinds, and checks right cards or wrong ones.
_MOST = number_of_cases(2, 1)


def _only() -> Iterator[str]:
    """Yield options for some cards of each of today's kinds of all games."""
    kinds: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    for entry in load_deck([ROOT / "cards"])[1].cards:
        kinds[entry.game, entry.kind].append(entry)
    dice = dice_for("fast paths")
    for kind in of_today(sorted(kinds), 2):
        entries = kinds[kind]
        entries.sort(key=lambda entry: len(str(entry.card.model_dump(exclude_defaults=True))))
        longest = entries.pop()
        for entry in (longest, *dice.sample(entries, min(_MOST - 1, len(entries)))):
            yield from ("--only", entry.card.name)


# A copy of each card is enough: the others are the same page again. Every card is laid out for the kit, so that a check
# with --fit would do it a second time.
_COMMANDS = {
    "kit": (0, "build", "cards", "--kit", "--qty", "1", "--paper", "a4", "--no-cache", "-q", "-j", "1", "-o", "kit"),
    "svg": (0, "build", "cards", "--only", "relic", "--only", "fighter", "--format", "svg", "--no-cache", "-q", "-o",
            "svg"),
    "sheets": (0, "reference", "--format", "pdf,html", "-o", "sheets"),
    "clean": (0, "check", "cards", "--no-cache", "--format", "json=clean/report.json"),
    "broken": (1, "check", "broken", "--no-cache", "--format", "full=findings/report.txt", "--format",
               "json=findings/report.json"),
}  # fmt: skip
# Right cards one day, wrong ones the next.
_CHECKED = of_today(("clean", "broken"), 2)
_WRITTEN = ("kit", "svg", "sheets", "clean", "findings")
DPI = 150
pytestmark = [pytest.mark.timeout(600), pytest.mark.long, pytest.mark.fuzz]
# Edges of curves are smoothed a little otherwise: on a roster of circles, 0.0018 of the pixels are far.
MEAN, FAR, MOST_FAR = 0.2, 16, 0.003

Outputs = Mapping[str, bytes]


def outputs(folder: Path, program: str, switch: str, *commands: str) -> Outputs:
    """The files that commands write, by their names."""
    shutil.copytree(ROOT / "cards", folder / "cards")
    shutil.copytree(ROOT / "tests" / "checking" / "cards", folder / "broken")
    for name in ("clean", "findings"):
        (folder / name).mkdir()
    environment = {**os.environ, SWITCH: switch, "PYTHONPATH": str(ROOT)}
    arguments = json.dumps([(*_COMMANDS[name], *(_only() if name == "kit" else ())) for name in commands])
    done = subprocess.run(
        [sys.executable, "-c", program, arguments], cwd=folder, env=environment, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for name in _WRITTEN
        for path in (folder / name).rglob("*")
        if path.is_file()
    }


@pytest.fixture(scope="module")
def fast(tmp_path_factory: pytest.TempPathFactory) -> Outputs:
    return outputs(tmp_path_factory.mktemp("fast"), _PROGRAM, "", "kit", "svg", "sheets", *_CHECKED)


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Outputs:
    return outputs(tmp_path_factory.mktemp("slow"), _PROGRAM, "1", "kit", "svg", "sheets", *_CHECKED)


def is_card_pdf(name: str) -> bool:
    return name.startswith("kit/")


def test_the_switch_is_read_in_one_place() -> None:
    readers = [path for path, text in _modules().items() if f'environ.get("{SWITCH}"' in text]
    assert readers == ["cardgen/runtime/installation.py"]


def test_the_docs_list_all_fast_paths_that_the_switch_turns_off() -> None:
    users = {
        path
        for path, text in _modules().items()
        if "from cardgen.runtime.installation import FAST" in text
        or (path.startswith("cardgen/rulesets/") and SHORT_CUTS & _imported_names(text))
    }
    listed = {path for paths, switch in _listed() for path in paths if switch == SWITCH}
    assert listed == users


def test_the_docs_list_all_that_is_called_a_fast_path_or_is_turned_off_as_a_cache() -> None:
    modules = _modules()
    listed = {path for paths, _ in _listed() for path in paths}
    assert listed <= {*modules}
    assert {path for path, text in modules.items() if "# FAST PATH" in text} <= listed
    assert {switch for _, switch in _listed()} == {SWITCH, "--no-cache", ""}


def _modules() -> dict[str, str]:
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in (ROOT / "cardgen").rglob("*.py")
    }


def _imported_names(text: str) -> set[str]:
    imports = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom))
    return {name.name for node in imports for name in node.names}


def _listed() -> list[tuple[list[str], str]]:
    """The modules of each row of the docs' table, and what turns them off."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").partition("## Fast paths")[2]
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| `")]
    return [(re.findall(r"`(cardgen/[^`]+)`", row[0]), row[-1].strip(" `")) for row in rows]


@needs_cairo
def test_checks_and_all_files_but_the_cards_pdfs_are_equal_byte_by_byte(fast: Outputs, slow: Outputs) -> None:
    assert fast.keys() == slow.keys()
    others = [name for name in fast if not is_card_pdf(name)]
    for kind in (".svg", ".html", ".pdf"):
        assert any(name.endswith(kind) for name in others)
    assert sum(name.endswith(".json") for name in others) == len(_CHECKED)
    assert [name for name in others if fast[name] != slow[name]] == []


@needs_cairo
def test_the_cards_pdfs_are_equal_byte_by_byte_where_svg_is_translated(fast: Outputs, tmp_path: Path) -> None:
    translated = outputs(tmp_path, _TRANSLATING, "1", "kit")
    assert translated.keys() == {name for name in fast if is_card_pdf(name)}
    assert [name for name, content in translated.items() if fast[name] != content] == []


@needs_cairo
def test_the_cards_pdfs_look_the_same_where_cairosvg_draws_everything(fast: Outputs, slow: Outputs) -> None:
    names = [name for name in fast if is_card_pdf(name)]
    assert names
    assert any(fast[name] != slow[name] for name in names), "the switch does something"
    for name in names:
        assert page_count(fast[name]) == page_count(slow[name])
        ours, theirs = (picture_of(each[name], dpi=DPI) for each in (fast, slow))
        assert ours.size == theirs.size
        difference = ImageChops.difference(ours, theirs).convert("L")
        far = sum(difference.histogram()[FAR + 1 :]) / (ours.width * ours.height)
        assert (ImageStat.Stat(difference).mean[0] < MEAN, far < MOST_FAR) == (True, True), name


def test_what_was_built_with_fast_paths_is_built_again_without(monkeypatch: pytest.MonkeyPatch) -> None:
    before = build_manifest._environment()
    monkeypatch.setenv(SWITCH, "1")
    assert build_manifest._environment() != before


def page_count(content: bytes) -> int:
    document = pypdfium2.PdfDocument(content)
    try:
        return len(document)
    finally:
        document.close()
