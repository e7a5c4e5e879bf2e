"""The pages for contributors: the files that they name exist, and the layers are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cases import each_case
from tests.test_layers import TIERS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
PATHS = sorted(set(re.findall(r"\b(?:cardgen|tests)/[\w/]+\.py\b", PAGE)))
LINKS = sorted(set(re.findall(r"\]\(([^)#]+)\)", PAGE)))
TABLES = GLOSSARY.split("\n## ")
WORDS = re.findall(r"^\| (?!term |---)([^|]+) \|", GLOSSARY, re.MULTILINE)


def test_the_page_names_files() -> None:
    assert len(PATHS) > 40


@each_case("path", PATHS)
def test_a_file_that_is_named_exists(path: str) -> None:
    assert (ROOT / path).is_file()


@pytest.mark.parametrize("link", LINKS)
def test_a_page_that_is_linked_exists(link: str) -> None:
    assert (ROOT / "docs" / link).is_file()


def test_the_layers_are_those_of_the_code() -> None:
    diagram = PAGE.partition("```text\n")[2].partition("```")[0]
    tiers = [re.split(r" {3,}", re.split(r" {6,}", line)[0]) for line in diagram.splitlines()]
    assert [set(tier) for tier in tiers] == [set(tier) for tier in TIERS]


def test_the_glossary_is_alphabetical_and_explains_each_word_once() -> None:
    assert len(WORDS) > 50
    assert len({*WORDS}) == len(WORDS)
    for table in TABLES:
        words = [word for word in WORDS if f"\n| {word} |" in table]
        assert sorted(words, key=str.casefold) == words


@pytest.fixture(scope="module")
def code() -> str:
    """The whole code in lower case, with its names as words."""
    text = " ".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "cardgen").rglob("*.py")))
    return re.sub(r"[\s_-]+", " ", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)).lower()


@each_case("word", WORDS)
def test_the_code_uses_the_word(word: str, code: str) -> None:
    assert re.sub(r"[\s-]+", " ", word).lower() in code
