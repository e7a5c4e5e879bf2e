"""The page about Warhammer Skirmish: its examples are cards, and it explains every key."""

from __future__ import annotations

import re
from pathlib import Path

from cardgen.deck.deck import require_game
from cardgen.matches.session import trial_summaries
from tests.cases import each_case
from tests.checking.harness import checked

PAGE = (Path(__file__).parent.parent.parent / "docs" / "skirmish.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
RULES = require_game("skirmish")
WORDS = set(re.findall(r"[a-z_][a-z0-9_-]*", PAGE))


def test_there_is_an_example_of_every_kind() -> None:
    shown = [re.findall(r"^kind: (\w+)", example, re.MULTILINE)[0] for example in EXAMPLES]
    assert sorted(shown) == sorted(RULES.kinds)


@each_case("example", EXAMPLES, ids=lambda text: text.split("\n")[1])
def test_examples_are_clean_cards(example: str, tmp_path: Path) -> None:
    assert [each.diagnostic.message for each in checked(tmp_path, example).findings] == []


def test_the_example_of_settings_is_a_project(tmp_path: Path) -> None:
    (settings,) = re.findall(r"^```yaml own\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "cardgen.yaml").write_text(settings, encoding="utf-8")
    assert checked(tmp_path, EXAMPLES[0]).findings == ()


def test_trials_and_rulings_are_named() -> None:
    assert {*trial_summaries("skirmish")} <= WORDS
    assert f"{len(RULES.rulings)} questions" in PAGE
