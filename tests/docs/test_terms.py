"""One word for each thing, and no phrases that a native writer would not use: docs/terms.yaml."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

import yaml

from tests.cases import each_case

ROOT = Path(__file__).parents[2]
TERMS = yaml.safe_load((ROOT / "docs" / "terms.yaml").read_text(encoding="utf-8"))
PAGES = [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
# Help texts, which are in a code block of their page.
HELPS = ROOT / "docs" / "commands.md"
SOURCES = ROOT / "cardgen"
# Words that readers type, which the grammars of games and the dictionaries know.
READ = ("hunspell", "charges", "/wording/")


@cache
def texts() -> dict[str, str]:
    """Return what people read, by file, each in one line: pages without code, and the texts of the program."""
    found = {_name(path): path.read_text(encoding="utf-8") if path == HELPS else _prose(path) for path in sorted(PAGES)}
    for path in sorted(SOURCES.rglob("*.*")):
        if path.suffix == ".py":
            # Without docstrings, which only developers read.
            module = compile(path.read_bytes(), path, "exec", dont_inherit=True, optimize=2)
            found[_name(path)] = " ¶ ".join(_strings(module.co_consts))
        elif path.suffix in (".yaml", ".txt", ".js", ".html") and not any(each in path.as_posix() for each in READ):
            found[_name(path)] = path.read_text(encoding="utf-8")
    return {name: " ".join(text.split()) for name, text in found.items()}


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _prose(path: Path) -> str:
    """Return a page without its blocks of code; what is between backquotes becomes one letter."""
    text = re.sub(r"^ *```.*?^ *```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "x", text)


def _strings(constants: Iterable[Any]) -> Iterator[str]:
    """Yield the texts of several words among the constants of a module, and of its functions and classes."""
    for each in constants:
        if isinstance(each, str):
            yield from [each] * (" " in each)
        elif isinstance(each, tuple | frozenset):
            yield from _strings(each)
        elif isinstance(each, CodeType):
            yield from _strings(each.co_consts)


def found(pattern: str, excepted: tuple[str, ...] = ()) -> list[str]:
    """Return where a pattern is found in what people read, with the words around it."""
    compiled = re.compile(pattern, re.IGNORECASE)
    return [
        f"{name}: …{text[max(0, match.start() - 40) : match.end() + 40]}…"
        for name, text in texts().items()
        if not name.startswith(excepted)
        for match in compiled.finditer(text)
    ]


def _words_not_to_use() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    for term, entry in TERMS["terms"].items():
        for pattern in entry.get("not", ()):
            yield term, pattern, (*entry.get("except", ()), "docs/glossary.md")


NOT = [*_words_not_to_use()]


@each_case("case", NOT, ids=lambda case: f"{case[0]}-{case[1]}")
def test_a_thing_has_one_word(case: tuple[str, str, tuple[str, ...]]) -> None:
    term, pattern, excepted = case
    assert found(pattern, excepted) == [], f"write '{term}'"


@each_case("phrase", TERMS["phrases"])
def test_a_native_writer_would_write_it(phrase: str) -> None:
    assert found(phrase, ("docs/decisions",)) == [], f"write: {TERMS['phrases'][phrase]}"


def test_texts_of_all_sorts_are_read() -> None:
    """A word that each sort has is found there."""
    places = {place.partition(": ")[0] for place in found(r"\bcards?\b")}
    assert {"README.md", "docs/commands.md", "docs/checks.md", "docs/reference/cards.md"} <= places
    assert {"cardgen/options.py", "cardgen/rulesets/skirmish/game.yaml"} <= places
    assert "cardgen/studio/pages/card_actions.py" in places


def test_the_patterns_find_what_they_are_for() -> None:
    examples: dict[str, Any] = {
        "battle": "Resume the match in this file",
        "ruling": "Override a house rule",
        "percent": "print at 100 %, on both sides",
        "website": "the web site",
        "list": "Warband or list",
    }
    for term, example in examples.items():
        assert any(re.search(each, example, re.IGNORECASE) for each in TERMS["terms"][term]["not"]), term
    for example in (
        "it always runs, also if the card is new",
        "A card without a slot of its size is an error.",
        "The bleed is that of the service.",
        "They are read as well.",
        "They are separated relative to white, in case you proof them.",
    ):
        assert any(re.search(each, example, re.IGNORECASE) for each in TERMS["phrases"]), example
