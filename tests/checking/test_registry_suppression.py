"""Ignores: for a line, for a card, for a file; with a reason, and not idle."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.checking.check import ExpectedFinding
from cardgen.checking.registry import Registry, read_suppressions
from cardgen.diagnostic import Place
from cardgen.project_checks.run import CheckRequest
from cardgen.source import parse_document
from tests.checking.harness import checked, found_marks

EFFECTS = "effects: [{when: turn_start, bearer: {heal: 1}}]"


def codes(folder: Path, text: str, request: CheckRequest | None = None) -> list[str]:
    return [mark.code for mark in found_marks(checked(folder, text, request=request))]


def deck(*mottos: str) -> str:
    moments = ("turn_start", "turn_end", "activation_end")
    cards = [
        f"  - name: Stone {number}\n    motto: {motto}\n    effects: [{{when: {moment}, bearer: {{heal: 1}}}}]\n"
        for number, (motto, moment) in enumerate(zip(mottos, moments, strict=False))
    ]
    return "kind: relic\ncards:\n" + "".join(cards)


def test_behind_a_value_for_its_line(tmp_path: Path) -> None:
    text = deck("so so  # cardgen: ignore[CG201] the poem", "so so")
    assert found_marks(checked(tmp_path, text)) == (ExpectedFinding("CG201", 7, 12),)


def test_on_a_line_of_its_own_for_the_card_below(tmp_path: Path) -> None:
    text = deck("so so", "so so").replace(
        "  - name: Stone 1", "  # cardgen: ignore[doubled-word] the poem\n  - name: Stone 1"
    )
    assert found_marks(checked(tmp_path, text)) == (ExpectedFinding("CG201", 4, 12),)


def test_inside_a_card_for_that_card(tmp_path: Path) -> None:
    text = deck("so so", "so so").replace(
        "    motto: so so\n", "    # cardgen: ignore[CG2] the poem\n    motto: so so\n", 1
    )
    assert found_marks(checked(tmp_path, text)) == (ExpectedFinding("CG201", 8, 12),)


def test_above_everything_for_the_file(tmp_path: Path) -> None:
    text = "# About stones.\n# cardgen: ignore[CG201] poems\n\n" + deck("so so", "so so", "so so")
    assert codes(tmp_path, text) == []


def test_a_text_over_several_lines_is_ignored_where_it_begins(tmp_path: Path) -> None:
    text = f"kind: relic\nname: Sun\nmotto: >-  # cardgen: ignore[CG201] the poem\n  Well\n  so so\n{EFFECTS}\n"
    assert codes(tmp_path, text) == []
    assert codes(tmp_path, text.replace("  # cardgen: ignore[CG201] the poem", "")) == ["CG201"]


def test_several_checks_in_one_comment(tmp_path: Path) -> None:
    text = f'kind: relic\nname: Sun\nmotto: "so so *x"  # cardgen: ignore[CG201, unbalanced-mark] the poem\n{EFFECTS}\n'
    assert codes(tmp_path, text) == []


def test_a_reason_is_required(tmp_path: Path) -> None:
    text = f"kind: relic\nname: Sun\nmotto: so so  # cardgen: ignore[CG201]\n{EFFECTS}\n"
    assert codes(tmp_path, text) == ["CG016", "CG201"]


def test_an_empty_word_names_nothing(tmp_path: Path) -> None:
    text = f"kind: relic\nname: Sun\nmotto: so so  # cardgen: ignore[CG201, ] the poem\n{EFFECTS}\n"
    assert codes(tmp_path, text) == ["CG016", "CG201"]


def test_an_idle_ignore_is_named_with_each_of_its_words(tmp_path: Path) -> None:
    text = f"kind: relic\nname: Sun\nmotto: so so  # cardgen: ignore[CG201, CG202, CG203] the poem\n{EFFECTS}\n"
    assert codes(tmp_path, text) == ["CG017", "CG017"]


def test_an_ignore_is_not_idle_when_its_check_did_not_run(tmp_path: Path) -> None:
    text = f"kind: relic\nname: Sun\nmotto: so  # cardgen: ignore[CG201] the poem\n{EFFECTS}\n"
    assert codes(tmp_path, text, CheckRequest(select=("CG202",))) == []
    assert codes(tmp_path, text, CheckRequest(ignore=("CG201",))) == []
    assert codes(tmp_path, text) == ["CG017"]


def test_a_fixed_limit_cannot_be_ignored(tmp_path: Path) -> None:
    text = f"kind: relic\nname: Sun\nmoto: so  # cardgen: ignore[CG101] no\n{EFFECTS}\n"
    assert codes(tmp_path, text) == ["CG016", "CG101"]


def test_a_hash_inside_a_text_is_no_comment(tmp_path: Path) -> None:
    text = f'kind: relic\nname: Sun\nmotto: "so so # cardgen: ignore[CG201] no"\n{EFFECTS}\n'
    assert "CG201" in codes(tmp_path, text)


def test_all_comments_that_ignore_a_finding_are_used(tmp_path: Path) -> None:
    text = "# cardgen: ignore[CG201] poems\n# cardgen: ignore[CG201] more\n" + deck("so so", "well")
    text = text.replace("  - name: Stone 0", "  # cardgen: ignore[CG2] here\n  - name: Stone 0")
    assert codes(tmp_path, text) == []
    assert codes(tmp_path, text.replace("so so", "so")) == ["CG017", "CG017", "CG017"]


def test_the_cards_of_a_file_are_looked_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of comments among thousands of cards took hours."""
    places: list[Place] = []

    def start_line(place: Place) -> int:
        places.append(place)
        return place.span.line if place.span else 1

    monkeypatch.setattr("cardgen.checking.registry._start_line", start_line)
    cards = [f"- name: Stone {number}\n  # cardgen: ignore[CG2] x\n" for number in range(50)]
    document = parse_document("kind: relic\ncards:\n" + "".join(cards), "f")
    read = read_suppressions([document], lambda: Registry(()))
    assert len(places) == 50
    assert len(read.problems) == 50
