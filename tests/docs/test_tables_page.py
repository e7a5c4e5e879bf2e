"""The page about tables: every file is written, every command runs, and it names every format."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from cardgen.deck.deck import load_deck
from cardgen.project.project import Project
from cardgen.runtime.fingerprint import TABLE_SUFFIXES
from tests.cli.commands import Program
from tests.docs.test_tutorial import commands, pattern

PAGE = (Path(__file__).parents[2] / "docs" / "tables.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STEPS = [match.groups() for match in BLOCK.finditer(PAGE)]


@pytest.fixture
def cardgen(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


def test_every_step_does_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cardgen: Program) -> None:
    monkeypatch.chdir(tmp_path)
    run = 0
    for language, name, text in STEPS:
        if language != "console":
            if "." in name:
                Path(name).write_text(text, encoding="utf-8")
            continue
        for line, expected in commands(text):
            outcome = cardgen(*shlex.split(line)[1:])
            assert re.fullmatch(pattern(expected), (outcome.out + outcome.err).strip()), line
            assert outcome.code == ("error[" in expected)
            run += 1
    assert run == 3
    Path("cardgen.yaml").write_text("tables: {minions.xlsx: {kind: minion}}", encoding="utf-8")
    assert [entry.card.name for entry in load_deck([])[1].cards] == ["Toll Guard", "Toll Hound"]


def test_the_settings_are_valid(tmp_path: Path) -> None:
    for _, name, text in STEPS:
        if name in ("settings", "sheets", "map"):
            (tmp_path / "cardgen.yaml").write_text(text, encoding="utf-8")
            assert Project.find(tmp_path).tables


def test_the_mapping_gives_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (mapping,) = (text for _, name, text in STEPS if name == "map")
    weapon = {"runemark": "axe", "max_range": 1, "attacks": 3, "strength": 4, "dmg_hit": 1, "dmg_crit": 3}
    fighter = {"name": "Élan", "code": "f1", "warband": "Iron Golem", "points": 90, "movement": 4, "toughness": 4}
    data = {
        "fighters": [{**fighter, "wounds": 30, "runemarks": ["hero"], "weapons": [weapon]}, {**fighter, "points": 0}]
    }
    Path("data").mkdir()
    Path("data/fighters.json").write_text(json.dumps(data), encoding="utf-8")
    Path("cardgen.yaml").write_text(mapping, encoding="utf-8")
    (entry,) = load_deck([])[1].cards
    assert (entry.card.id, entry.card.model_dump()["runemarks"]) == ("elan-f1", ("hero", "elite"))


def test_all_formats_are_explained() -> None:
    assert all(f"`{suffix}`" in PAGE for suffix in TABLE_SUFFIXES)
