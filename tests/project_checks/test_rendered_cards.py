"""Cards with mistakes that would also confuse their templates."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardgen.builds.builder import build
from cardgen.diagnostic import CardgenError
from cardgen.print.request import BuildRequest
from cardgen.project_checks.run import CheckRequest, check_project
from tests.projects import Folder

KITS = Path(__file__).parents[2] / "cards"
REFERENCES = [
    ("warniris", "warbands.yaml", "character: maerin-vex"),
    ("warniris", "warbands.yaml", "relic: Iron Halo"),
    ("warniris", "warbands.yaml", "minion: brute"),
    ("warcry", "ember-choir.yaml", "fighter: the-clinker"),
    ("warcry", "ember-choir.yaml", "blessing: savagery"),
    ("warcry", "ember-choir.yaml", "trait: seared-wounds"),
    ("skirmish", "ferry-watch.yaml", "      - Old Grudge"),
    ("skirmish", "ferry-watch.yaml", "weapons: [Brace of Pistols"),
    ("diskwars", "armies.yaml", "Otter Scouts"),
    ("diskwars", "armies.yaml", "hero: Marshal Ida Fenn"),
    ("diskwars", "armies.yaml", "commands: [Hold the Dyke"),
]


@pytest.mark.parametrize(("game", "file", "reference"), REFERENCES)
def test_a_broken_reference_is_the_only_error(folder: Folder, game: str, file: str, reference: str) -> None:
    text = (KITS / game / file).read_text(encoding="utf-8")
    assert text.count(reference) >= 1
    for kit_file in (KITS / game).glob("*.yaml"):
        folder.write(kit_file.name, kit_file.read_text(encoding="utf-8"))
    folder.write(file, text.replace(reference, f"{reference}xx", 1))
    folder.write("cardgen.yaml", f"game: {game}\n")
    findings = check_project(CheckRequest((Path(file),), fit=True)).findings
    errors = [each.diagnostic for each in findings if each.diagnostic.severity == "error"]
    assert [each.code for each in errors if each.code != "WS331"] == ["CG115"]
    assert {each.diagnostic.place.file for each in findings} == {file}


LARGE = """\
cards:
  - {kind: ruler, name: Long, length: 40}
  - {kind: box, name: Crate, holds: 300, card_size: 120mm x 190mm}
  - {kind: ruler, name: Short, length: 20}
  - {kind: mat, name: Field, width: 60, height: 42}
"""


def fit_findings(*paths: str) -> list[str]:
    result = check_project(CheckRequest(tuple(map(Path, paths)), fit=True))
    return [str(each.diagnostic) for each in result.findings]


def test_pieces_that_a_build_leaves_out_are_found(folder: Folder) -> None:
    folder.write("cardgen.yaml", "game: warniris\n")
    folder.write("cards/a.yaml", LARGE)
    built = build(BuildRequest())
    skipped = [problem for card in built.skipped for problem in card.problems]
    assert [card.name for card in built.skipped] == ["Crate", "Long"]
    found = fit_findings()
    assert sorted(found) == sorted(skipped)
    assert all("warning[CG523]" in each for each in found)


def test_a_piece_alone_that_is_too_large_is_an_error(folder: Folder) -> None:
    folder.write("cards/a.yaml", "kind: ruler\nname: Long\nlength: 40\n")
    with pytest.raises(CardgenError) as caught:
        build(BuildRequest())
    assert fit_findings() == [str(each) for each in caught.value.diagnostics]


@pytest.mark.parametrize(
    "settings", ["sprue: a4-pokr", "sprue: a4-poker", "layout: gird", "paper: a5\nsprue: own", "backs: gutterfold"]
)
def test_what_a_build_refuses_in_the_settings_is_found(folder: Folder, settings: str) -> None:
    folder.write("sprues/own.yaml", "paper: a5\nslots:\n- {size: poker, x: 140mm, y: 10mm}\n")
    folder.write("cardgen.yaml", f"game: warniris\n{settings}\n")
    folder.write("cards/a.yaml", "kind: blank\nname: Sheet\nof: warband\n")
    with pytest.raises(CardgenError) as caught:
        build(BuildRequest())
    assert fit_findings() == [str(each) for each in caught.value.diagnostics]


def test_a_long_text_is_counted_alike_beyond_the_longest_that_is_typeset(folder: Folder) -> None:
    """Beyond 20,000 characters, the message said how far the text was beyond them."""

    def excess(words: int) -> int:
        folder.write("cards/a.yaml", f"kind: relic\nname: Wordy\ntext: {'amber ' * words}\n")
        (message,) = (each for each in fit_findings() if "CG501" in each)
        with pytest.raises(CardgenError) as caught:
            build(BuildRequest())
        assert message in [str(each) for each in caught.value.diagnostics]
        (number,) = re.findall(r"([\d,]+) characters too many", message)
        return int(number.replace(",", ""))

    shorter, longer = excess(3_330), excess(3_334)
    assert shorter > 18_000
    assert longer - shorter == pytest.approx(24, abs=600)
    assert excess(8_000) - longer == pytest.approx(6 * (8_000 - 3_334), abs=2)
