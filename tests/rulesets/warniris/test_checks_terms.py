"""Terms of other games on cards of Warniris, word for word."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.project_checks.run import CheckRequest
from tests.checking.harness import checked


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Its bearer makes an armour save.",
         [("unknown term 'armour save'", "the target tests Body or Spirit to resist")]),
        ("Its bearer has 2 hit points.", [("unknown term 'hit points'", "Warniris has Wounds and Body")]),
        ("Its bearer has +1 Toughness.", [("unknown term 'Toughness'", "Warniris has Wounds and Body")]),
        ("Once per battle round, React.", [("unknown term 'battle round'", "Warniris has turns")]),
        ("Roll a D3.", [("unknown term 'D3'", "use D6, and count 1 or 2 as 1, 3 or 4 as 2, and 5 or 6 as 3")]),
        ("Roll a D8.", [("unknown term 'D8'", "use D6")]),
        ("Roll 1D6. On a 5+ its bearer is in good health and tough.", []),
    ],
)  # fmt: skip
def test_terms_of_other_games(text: str, found: list[tuple[str, str]], tmp_path: Path) -> None:
    card = f"game: warniris\nkind: relic\nname: Sun Stone\ntext: {text}\n"
    outcome = checked(tmp_path, card, request=CheckRequest(select=("WN205",)))
    assert [(one.diagnostic.message, one.diagnostic.help) for one in outcome.findings] == found
