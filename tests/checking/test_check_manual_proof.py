"""The checker proves itself: nothing escapes unless its check is off, and nothing that a check names is made up."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import cardgen
from cardgen.checking.check import Check, ExpectedFinding, expected_findings, parse_page
from cardgen.deck.deck import require_game
from cardgen.diagnostic import Code
from cardgen.game_file.loader import read_game
from cardgen.model.card import Card
from cardgen.project_checks.run import CheckRequest, check_project
from cardgen.project_checks.services import all_checks
from cardgen.rulesets import ruleset
from cardgen.rulesets.vocabulary import LimitRule
from cardgen.source import read_document
from cardgen.validation.base import ModelClasses, model_keys, reachable_models
from tests.cases import each_case
from tests.checking.harness import checked, found_marks
from tests.projects import Folder
from tests.random_cases import of_today

PACKAGE = Path(cardgen.__file__).parent
CHECKS = all_checks().checks
MUTANTS = [check for check in CHECKS if check.find and parse_page(check.page).examples]
# No text of a card alone can show these.
WITHOUT_EXAMPLE = {
    *(
        "byte-order-mark",
        "small-type",
        "low-resolution",
        "dropped-motto",
        "dropped-picture",
        "animated-picture",
        "mangled-cell",
    ),
    *("case-clash", "misplaced-card", "lost-id", "beyond-its-cost"),  # they are about several files
    *("unread-field", "roll-table"),  # they are about kinds of a game
    *(
        "translation-gap",
        "loose-translation",
        "unequal-translation",
        "unlike-terms",
        "stale-translation",
        "misspelled-translation",
    ),
    *("low-contrast", "hidden-text", "text-at-cut", "overlapping-text"),  # they are about templates
    *("touching-text", "misaligned-text", "crowded-text", "short-last-line", "empty-area"),
    *("look-alike-colors", "too-much-ink"),
    "against-ruling",  # it is about a setting of the project
}
ROWS = sorted(PACKAGE.rglob("checks/*.txt"))
FILES = sorted(
    path for path in PACKAGE.rglob("checks/*.py") if path.stem != "__init__" and path.with_suffix(".txt") not in ROWS
)
GAME_FILES = sorted(PACKAGE.rglob("rulesets/*/game.yaml"))


@each_case("check", of_today(MUTANTS, 4), ids=lambda check: check.code)
def test_a_mutant_escapes_when_its_check_is_off(check: Check, tmp_path: Path) -> None:
    manual = parse_page(check.page)
    files = [file for file in manual.files if file in manual.examples[0]]
    outcome = checked(tmp_path, manual.examples[0], files, CheckRequest(ignore=(check.code,)))
    others = tuple(mark for mark in expected_findings(manual.examples[0]) if mark.code != check.code)
    assert found_marks(outcome) == others


def test_every_check_of_cards_has_a_mutant() -> None:
    assert {check.name for check in CHECKS if check.find} - {check.name for check in MUTANTS} == WITHOUT_EXAMPLE


def test_codes_and_names_are_unique_and_files_are_called_after_them() -> None:
    assert len({check.code for check in CHECKS}) == len({check.name for check in CHECKS}) == len(CHECKS)
    elsewhere = codes_in_game_files() | codes_in_rows()
    named = {check.name for check in CHECKS if check.find and check.code not in elsewhere}
    assert {path.stem.replace("_", "-") for path in FILES} == named


def codes_in_rows() -> set[str]:
    """The codes at the beginnings of the rows of text files, those of fixed limits among them."""
    return {row.split()[0] for path in ROWS for row in path.read_text(encoding="utf-8").split("\n---\n")}


@each_case("path", [path for path in ROWS if path.with_suffix(".py").exists()], ids=lambda path: path.stem)
def test_every_public_function_beside_rows_is_the_condition_of_one(path: Path) -> None:
    names = {row.split()[1].replace("-", "_") for row in path.read_text(encoding="utf-8").split("\n---\n")}
    tree = ast.parse(path.with_suffix(".py").read_text(encoding="utf-8"))
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name[0] != "_"}
    assert functions
    assert functions <= names


def codes_in_game_files() -> set[str]:
    """The codes of checks that are expressions, and of the checks of units, which each game file has."""
    specs = [read_game(read_document(path, path.name), path.parent).spec for path in GAME_FILES]
    return {check.code for spec in specs for check in spec.checks.values()} | {f"{spec.prefix}200" for spec in specs}


def test_every_fixed_limit_has_a_page() -> None:
    known = {code.value for code in Code if code.value < "CG600"}
    assert len(known) > 80
    assert known <= {check.code for check in CHECKS}


@pytest.mark.parametrize("path", GAME_FILES, ids=lambda path: path.parent.name)
def test_every_limit_of_a_game_file_has_a_page(path: Path) -> None:
    context = read_game(read_document(path, path.name), path.parent)
    written = set(re.findall(rf"code: ({context.spec.prefix}[0-9]{{3}})", path.read_text(encoding="utf-8")))
    assert len(written) > 10
    assert written <= {check.code for check in CHECKS if check.game == context.spec.game}


@pytest.mark.parametrize("game", [game for game in ruleset.games() if find_spec(f"cardgen.rulesets.{game}.limits")])
def test_every_fixed_limit_of_a_game_has_a_page(game: str) -> None:
    breaches = import_module(f"cardgen.rulesets.{game}.limits")
    limits = {breach.code: breach.name for breach in vars(breaches).values() if isinstance(breach, LimitRule)}
    assert len(limits) > 10
    assert limits.items() <= {
        (check.code, check.name) for check in CHECKS if check.is_fixed_limit and check.game == game
    }


def test_every_code_that_the_program_writes_has_a_page() -> None:
    paged = {check.code for check in CHECKS}
    written = {
        code
        for path in PACKAGE.rglob("*.py")
        for code in re.findall('"((?:CG|DW|WC|WN|WS)[0-5][0-9]{2})"', path.read_text(encoding="utf-8"))
    }
    assert len(written) > 60
    assert not written - paged, "write pages for them into cardgen/checking/checks/limits.txt"


def known_keys() -> set[str]:
    kinds = [kind.model for game in ruleset.games() for kind in require_game(game).kinds.values()]
    models: ModelClasses = (Card, *kinds)
    return {
        name for _, model in reachable_models(models) for key in model_keys(model).values() for name in key.spellings
    } | {name for _, model in reachable_models(models) for name in model_keys(model)}


def routes(path: Path) -> Iterator[str]:
    """The keys that a check's findings name: all texts in the tuples given to Finding and Related."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("Finding", "Related"):
            for argument in node.args[1:2]:
                yield from (part.value for part in ast.walk(argument)
                            if isinstance(part, ast.Constant) and isinstance(part.value, str))  # fmt: skip


def test_every_field_that_a_check_names_exists() -> None:
    named = {key for path in PACKAGE.rglob("checks/*.py") for key in routes(path)}
    named |= {key for path in ROWS for key in re.findall(r"^at: (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)}
    assert len(named) > 30
    assert named <= known_keys()


def test_every_file_of_a_project_is_read_or_named(tmp_path: Path) -> None:
    files = ("lost.yaml.txt", "cards.json", "notes/idea.yml.bak", "art/sun.svg", ".hidden/x.yaml")
    outcome = checked(tmp_path, "kind: relic\nname: Sun\neffects: [{when: turn_start, bearer: {heal: 1}}]\n", files)
    assert outcome.skipped == ("cards.json", "lost.yaml.txt", "notes/idea.yml.bak")
    assert "3 other files skipped" in outcome.summary


def test_beside_a_folder_of_cards_only_what_looks_like_a_card_is_named(folder: Folder) -> None:
    for name in ("cards/sun.yaml", "cards/old.txt", "README.md", "moon.yaml", "src/tool.py", "src/star.YML"):
        folder.write(name, "kind: relic\nname: Sun\neffects: [{when: turn_start, bearer: {heal: 1}}]\n")
    assert check_project(CheckRequest()).skipped == ("cards/old.txt", "moon.yaml", "src/star.YML")


def test_what_no_check_met_is_counted(tmp_path: Path) -> None:
    outcome = checked(tmp_path, "kind: relic\nname: Sun\neffects: [{when: turn_start, bearer: {heal: 1}}]\n")
    unmet = {check.name for check in outcome.not_applicable}
    assert {"wasted-penetration", "impossible-mission", "same-character"} <= unmet
    assert not unmet & {"useless-bonus", "idle-effect", "tab", "near-duplicate"}
    assert f"{len(unmet)} had nothing to check" in outcome.summary


def test_a_mark_can_name_a_line_or_a_file() -> None:
    text = "a: 1  # CG101: 3, WN301: 14\n# CG201: 4:43\n# CG018: ., CG124: art/x.png\n"
    assert expected_findings(text) == (
        ExpectedFinding("CG018", 0, 0),
        ExpectedFinding("CG101", 1, 3),
        ExpectedFinding("CG124", 0, 0, "art/x.png"),
        ExpectedFinding("CG201", 4, 43),
        ExpectedFinding("WN301", 1, 14),
    )
