"""`cardgen balance` writes reports of each format, and names wrong options."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.balance import fighters
from tests.cli.commands import Program


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of scores that all tests of this file share."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    fighters.write()


def test_formats_and_files(cardgen: Program) -> None:
    assert cardgen("balance", "--format", "html").out == "output/balance.html\n"
    assert Path("output/balance.html").read_bytes().startswith(b"<!DOCTYPE html>")
    assert "<!DOCTYPE" in cardgen("balance", "--format", "html", "-o", "-").out
    assert cardgen("balance", "-o", "report.txt").out == "report.txt\n"
    assert "too strong" in Path("report.txt").read_text(encoding="utf-8")
    assert cardgen("balance", "--format", "csv", "--rows", "cards").out.startswith("rank,card,carries,faction,")
    assert cardgen("balance", "--by", "stats.wounds", "--cost", "stats.toughness").code == 0


@pytest.mark.parametrize(
    ("file", "start"),
    [
        ("page.html", "<!DOCTYPE html>"),
        ("PAGE.HTML", "<!DOCTYPE html>"),
        ("pairs.csv", "card,carries,"),
        ("all.json", '{\n  "version": 1,'),
        ("report.txt", "not adjudicated: "),
        ("report", "not adjudicated: "),
    ],
)
def test_the_suffix_of_the_file_is_its_format(cardgen: Program, file: str, start: str) -> None:
    assert cardgen("balance", "-o", file).out == f"{file}\n"
    assert Path(file).read_text(encoding="utf-8").startswith(start)


def test_names_are_no_formulas_of_spreadsheets(cardgen: Program) -> None:
    """What balance writes as CSV, and odds too, is opened in a spreadsheet."""
    Path("cards/fighters.yaml").write_text(
        Path("cards/fighters.yaml").read_text(encoding="utf-8").replace("name: ", "name: =1+", 1), encoding="utf-8"
    )
    pairs, cards = (cardgen("balance", "--format", "csv", "--rows", rows).out for rows in ("pairs", "cards"))
    for rows in (pairs, cards):
        assert "'=1+" in rows
        assert not re.search('(?:^|[,"])=', rows, re.MULTILINE)


def test_the_format_option_has_priority_over_the_suffix(cardgen: Program) -> None:
    assert cardgen("balance", "--format", "csv", "-o", "page.html").code == 0
    assert Path("page.html").read_text(encoding="utf-8").startswith("card,carries,")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-o", "pairs.xlsx"), "unknown format '.xlsx' (one of .txt, .csv, .json, .html, .parquet, .arrow)"),
        (("--jobs", "two"), "'two' is not a valid whole number."),
        (("--team-size", "٣x"), "'٣x' is not a valid whole number."),
        (("--by", "factoin"), "unknown field 'factoin'; did you mean 'faction'?"),
        (("--cost", "price"), "unknown field 'price'"),
        (("--adjust-card", "Cheap Brut"), "unknown card 'Cheap Brut'; did you mean 'Cheap Brute'?"),
        (("--teams", "20"), "teams need at least two groups by 'faction', not 0"),
    ],
)
def test_wrong_options(cardgen: Program, options: tuple[str, ...], message: str) -> None:
    outcome = cardgen("balance", *options)
    assert outcome.code == 2
    assert message in outcome.err
