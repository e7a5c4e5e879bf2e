"""The data of cards for referees, which transcripts repeat."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardgen.deck.card_lookup import CardLookup, require_card_data
from cardgen.deck.deck import load_deck, rules_of
from cardgen.project.project import Project
from cardgen.runtime.workspace import Workspace

ROOT = Path(__file__).parents[2]
PROJECTS = [
    *sorted((ROOT / "cards").iterdir()),
    *sorted(path.parent for path in (ROOT / "examples").glob("*/cardgen.yaml")),
]


@pytest.mark.parametrize("folder", PROJECTS, ids=lambda folder: folder.name)
def test_the_data_of_every_card_is_accepted_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    project = Project.open(Workspace(folder))
    _, deck = load_deck((), workspace=project.workspace)
    assert deck.cards
    for entry in deck.cards:
        rules = rules_of(entry)
        data = CardLookup(rules, (), project, deck.cards).card_data(entry)
        require_card_data(json.loads(json.dumps({"a": [data]})), rules)
        with pytest.raises(ValueError, match=r"is not valid|not as cardgen"):
            require_card_data({**data, "nobody": 1}, rules)
