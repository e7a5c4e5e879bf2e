"""Finding checks by folder, and naming them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cardgen.checking.check import Check, CheckContext, Confidence, Finding, rule
from cardgen.checking.registry import GENERAL_CHECKS, Registry, load_registry
from cardgen.diagnostic import Severity
from cardgen.project_checks.services import all_checks

FOUND = load_registry({GENERAL_CHECKS: ""})


def names(*checks: Check) -> set[str]:
    return {check.name for check in checks}


def test_a_package_of_checks_gives_its_modules_and_its_limits() -> None:
    assert {"doubled-word", "duplicate-key"} <= names(*FOUND.checks)
    assert [check.code for check in FOUND.checks] == sorted(check.code for check in FOUND.checks)


@pytest.mark.parametrize("word", ["CG201", "cg201", "doubled-word"])
def test_one_check_by_code_and_name(word: str) -> None:
    assert names(*FOUND.matching(word)) == {"doubled-word"}


def test_several_by_the_beginning_of_their_codes() -> None:
    assert names(*FOUND.matching("CG2")) >= {"doubled-word", "unbalanced-mark", "term-spelling"}
    assert names(*FOUND.matching("all")) == names(*FOUND.checks)
    assert FOUND.matching("doubled") == ()


def test_a_word_that_cannot_be_used_is_refused() -> None:
    assert FOUND.refusal("doubled-wrod") == "unknown check 'doubled-wrod'; did you mean 'doubled-word'?"
    assert FOUND.refusal("xyz") == "unknown check 'xyz'"
    assert (
        FOUND.refusal("CG013") == FOUND.refusal("CG201", to_ignore=True) == FOUND.refusal("CG0", to_ignore=True) == ""
    )
    assert FOUND.refusal("CG013", to_ignore=True) == "'CG013' is a fixed limit and cannot be ignored"


def test_fit_is_left_out_unless_somebody_wants_it() -> None:
    def chosen(select: tuple[str, ...] = (), ignore: tuple[str, ...] = (), *, fit: bool = False) -> set[str]:
        return names(*FOUND.choose(select, ignore, fit=fit))

    assert "overflow" not in chosen()
    assert "overflow" in chosen(fit=True)
    assert "overflow" in chosen(("CG5",))
    assert chosen(("CG201", "CG202"), ("CG202",)) == {"doubled-word"}


def test_a_limit_is_grave_unless_its_page_says_otherwise() -> None:
    by_name = {check.name: check for check in FOUND.checks}
    assert by_name["duplicate-key"].severity is Severity.ERROR
    assert by_name["unused-ignore"].severity is Severity.WARNING
    assert by_name["duplicate-key"].is_fixed_limit
    assert not by_name["doubled-word"].is_fixed_limit


def test_every_game_brings_its_own_checks() -> None:
    assert names(*FOUND.checks) < names(*all_checks().checks)
    assert "wasted-penetration" in names(*all_checks().checks)


def test_an_empty_registry_names_nothing() -> None:
    assert Registry(()).matching("all") == ()


def test_a_rule_needs_no_constants() -> None:
    def find(part: int | str) -> Iterator[Finding]:
        yield Finding(f"{part}")

    check = rule("XY301", "warning", "likely")(find)
    assert (check.code, check.severity, check.confidence) == ("XY301", Severity.WARNING, Confidence.LIKELY)
    assert check.looks_at == (int, str)
    assert check.find is not None
    assert [each.message for each in check.find(3, None)] == ["3"]


def test_a_rule_may_read_its_context() -> None:
    def find(part: int, context: CheckContext) -> Iterator[Finding]:
        yield Finding(f"{part} {context.route}")

    check = rule("XY301", "error", "certain")(find)
    assert check.looks_at == (int,)
    assert check.find is not None
    assert [each.message for each in check.find(3, CheckContext(None, route=("a",)))] == ["3 ('a',)"]  # type: ignore[arg-type]


def test_name_and_page_of_a_rule_are_those_of_its_module() -> None:
    check = all_checks().find("WC307")
    assert check is not None
    assert check.name == "immobile"
    assert check.page.startswith("A fighter with a Move of 0.")
