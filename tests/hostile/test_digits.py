"""Numbers of thousands of digits, which Python does not read, wherever texts of cards have numbers."""

from __future__ import annotations

import re
from pathlib import Path

from cardgen.checking.check import Check, parse_page
from cardgen.deck.release_file import natural_order
from cardgen.project_checks.run import CheckRequest
from cardgen.rulesets.warniris.weapon_line import _parse_number
from cardgen.target.web.fields import natural_key
from tests.cases import each_case
from tests.checking.harness import checked
from tests.checking.test_check_manual_proof import MUTANTS
from tests.random_cases import of_today

_LONG = "9" * 4_400
# Numbers of texts: after a word, before a unit, and in dice and changes.
_NUMBERS = (
    re.compile(r"""(?<=[A-Za-z"'(*] )\d+|(?<=["'*+\-−(])\d+(?=["″+ *a-zA-Z-])"""),
    re.compile(r"(?<=[dD+\-−/])\d+|\d+(?=[dD]\d)|\d+(?=[\"″+*%])|\d+(?= (?:cm|mm|inch|feet))"),
)


@each_case("check", of_today(MUTANTS, 6), ids=lambda check: check.code)
def test_no_check_ends_with_an_error(check: Check, tmp_path: Path) -> None:
    page = parse_page(check.page)
    for pattern in _NUMBERS:
        card = pattern.sub(_LONG, page.examples[0])
        if card != page.examples[0]:
            checked(tmp_path, card, [file for file in page.files if file in card], CheckRequest())


def test_names_with_them_are_sorted() -> None:
    assert natural_key("9 mm") < natural_key("10 mm") < natural_key(f"{_LONG} mm")
    assert natural_order("v1.9") < natural_order("v1.10") < natural_order(f"v{_LONG}")


def test_a_line_of_a_weapon_may_have_one() -> None:
    assert _parse_number(f"R{_LONG}") == ("R", 999_999_999)
