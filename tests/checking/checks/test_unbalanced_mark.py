"""Marks without a counterpart, and what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.project_checks.run import CheckRequest
from tests.checking.harness import checked


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("Deal {heart to it.", "add the other mark, or write \\{ to print this one"),
        ("Fights {{ rival.name }}.", "write the words themselves: only the 'text' of a kind, layouts, and templates"),
    ],
)
def test_a_field_in_the_text_of_a_card_is_not_taken_for_an_icon(text: str, advice: str, tmp_path: Path) -> None:
    card = f'kind: relic\nname: Sun Stone\ntext: "{text}"\n'
    first, *_ = checked(tmp_path, card, request=CheckRequest(select=("CG202",))).findings
    assert str(first.diagnostic.help).startswith(advice)
