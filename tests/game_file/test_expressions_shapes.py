"""Names that expressions of a game file can use."""

from __future__ import annotations

import pytest

from tests.game_file.trials import problems

KIND = """
kinds:
  brave:
    unknown_keys: {unknown}
    fields:
      heat: {{type: integer}}
      weapons: {{type: list, items: {{type: weapon}}}}
    text: "{{{{ heat }}}} {{{{ extra }}}} {{{{ weapons.sum(damge) }}}}"
types:
  weapon: {{fields: {{damage: {{type: integer}}}}}}
"""


@pytest.mark.parametrize(
    ("unknown", "expected"),
    [
        ("error", ["8:26 unknown name 'extra'", "8:50 unknown name 'damge'; did you mean 'damage'?"]),
        ("allow", []),
    ],
)
def test_cards_that_keep_unknown_keys_can_have_any_name(unknown: str, expected: list[str]) -> None:
    assert problems(KIND.format(unknown=unknown)) == expected


CHOICE = """
kinds:
  brave:
    fields:
      home: {{type: choice, choices: [coast, oasis], default: coast}}
    text: "{{% if {test} %}}x{{% endif %}}"
"""


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("home == 'oasis' or home in ['coast']", []),
        ("home == 'oassis'", ["6:27 'home' cannot be 'oassis'; did you mean 'oasis'?"]),
        ("home in ('coast', 'osais')", ["6:37 'home' cannot be 'osais'; did you mean 'oasis'?"]),
        ("'oa' in home", []),
        ("'desert' != home", ["6:19 'home' cannot be 'desert'"]),
    ],
)
def test_a_choice_is_compared_only_with_its_words(test: str, expected: list[str]) -> None:
    assert problems(CHOICE.format(test=test)) == expected
