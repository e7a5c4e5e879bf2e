"""What reference sheets quote of rulings stands in whole sentences, whatever setting is in force."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import yaml

import cardgen.rulesets
from cardgen.rulesets import diskwars
from tests.cases import each_case

FOLDER = Path(cardgen.rulesets.__file__).parent
SHEETS = sorted(FOLDER.glob("*/sheets/*.yaml"))


def _texts(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    for each in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _texts(each)


def _quotes(path: Path) -> Iterator[tuple[str, set[str], str, str]]:
    """Yield the rulings that a sheet quotes, each with the settings that have words, and the text on both sides."""
    for text in _texts(yaml.safe_load(path.read_text(encoding="utf-8"))):
        for match in re.finditer(r"<ruling ([a-z0-9-]+)([^>]*)>", text):
            words = {each.partition(":")[0].strip() for each in match[2].split("|")[1:]}
            yield match[1], words, text[: match.start()], text[match.end() :]


@each_case("path", SHEETS, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_ruling_within_a_sentence_has_words_for_every_setting(path: Path) -> None:
    """Without words, the question and its answer are printed, which only stand as sentences of their own."""
    rulings = {each.id: each for each in import_module(f"cardgen.rulesets.{path.parts[-3]}").RULESET.rulings}
    for name, words, before, after in _quotes(path):
        is_alone = re.search(r"(^|[.!?:>]|\*\*) ?$", before) and re.match(r" ?($|[A-ZÄÖÜ<*])", after)
        assert is_alone or words == {*rulings[name].settings}, (name, before[-30:], after[:30])


@each_case("path", SHEETS, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_ruling_that_is_quoted_without_words_is_a_sentence(path: Path) -> None:
    """It stands without its question, so it neither answers one nor begins with a pronoun, and names no ids."""
    rulings = {each.id: each for each in import_module(f"cardgen.rulesets.{path.parts[-3]}").RULESET.rulings}
    for name, words, *_ in _quotes(path):
        for answer in () if words else rulings[name].settings.values():
            assert re.match(r"(?!(Yes|No[,.]|It|They|That|Those)\b)[A-Z0-9].{15,}[.)]$", answer), (name, answer)
            assert not any("-" in each and re.search(rf"\b{each}\b", answer) for each in rulings), (name, answer)


@each_case("path", SHEETS, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_sheet_says_each_or_every_for_the_same_moments(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    moments = re.findall(r"\bthe (?:start|end|beginning) of (each|every)\b", text)
    assert len({*moments}) <= 1, moments


def test_the_sheet_of_diskwars_quotes_every_ruling() -> None:
    path = FOLDER / "diskwars" / "sheets" / "reference.yaml"
    (listed,) = re.findall(r"with: {rulings: \[(.*)\]}", path.read_text(encoding="utf-8"))
    quoted = {name for name, *_ in _quotes(path)} | {*listed.split(", ")}
    assert {each.id for each in diskwars.RULESET.rulings} <= quoted
