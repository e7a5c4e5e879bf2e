"""Words that are repeated by mistake, and those that somebody repeats on purpose."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.project_checks.run import CheckRequest
from tests.checking.harness import checked


@pytest.mark.parametrize(
    ("key", "text", "repeated"),
    [
        ("motto", "Knock knock. Nobody is home.", []),
        ("motto", "Look at the the moon.", ["repeated word 'the'"]),
        ("text", "The bearer sees sees in the dark.", ["repeated word 'sees'"]),
    ],
)
def test_only_short_words_are_mistakes_in_mottoes(key: str, text: str, repeated: list[str], tmp_path: Path) -> None:
    card = f"kind: relic\nname: Sun Stone\n{'text: A.' if key == 'motto' else ''}\n{key}: {text}\n"
    found = checked(tmp_path, card, request=CheckRequest(select=("CG201",))).findings
    assert [each.diagnostic.message for each in found] == repeated
