"""Kinds that keep unknown keys for their templates."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.builds.builder import build
from cardgen.deck.deck import load_deck
from cardgen.diagnostic import CardgenError
from cardgen.print.request import BuildRequest
from tests.game_file.games import HEADER, TEMPLATE, findings, write_game

GAME = HEADER + "kinds:\n  brave:\n    unknown_keys: allow\n    fields: {heat: {type: integer}}\n"
CARD = "kind: brave\nname: Ash\nheat: 1\ncoat: {colour: red}\nsong: 'So it goes.'\n"
READS_BOTH = TEMPLATE.replace("{{ card.name }}", "{{ card.name }} {{ card.coat.colour }} {{ card['song'] }}")


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_game(tmp_path, GAME, a=CARD))


def set_template(root: Path, text: str) -> None:
    (root / "games" / "ember" / "templates" / "brave.svg.j2").write_text(text, encoding="utf-8")


def test_templates_read_unknown_keys(tmp_path: Path) -> None:
    set_template(tmp_path, READS_BOTH)
    build(BuildRequest(output=tmp_path / "output", formats=("svg",)))
    assert findings(tmp_path) == []


def test_a_key_that_no_template_reads_is_a_finding(tmp_path: Path) -> None:
    set_template(tmp_path, READS_BOTH.replace("{{ card['song'] }}", ""))
    assert findings(tmp_path) == ["cards/a.yaml:5:1 CG126 unknown key 'song' of a brave is not printed"]


def test_without_a_template_every_unknown_key_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "games" / "ember" / "templates" / "brave.svg.j2").unlink()
    assert findings(tmp_path) == [
        "cards/a.yaml:4:1 CG126 unknown key 'coat' of a brave is not printed",
        "cards/a.yaml:5:1 CG126 unknown key 'song' of a brave is not printed",
    ]


def test_a_kind_that_begins_with_a_vowel_has_its_article(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, card = GAME.replace("brave:", "ally:"), CARD.replace("kind: brave", "kind: ally")
    monkeypatch.chdir(write_game(tmp_path / "other", game, a=card))
    (message, *_) = findings(tmp_path / "other")
    assert message == "cards/a.yaml:4:1 CG126 unknown key 'coat' of an ally is not printed"


def test_known_keys_are_still_checked(tmp_path: Path) -> None:
    (tmp_path / "cards" / "a.yaml").write_text("kind: brave\nname: Ash\nheat: x\nqty: 0\n", encoding="utf-8")
    with pytest.raises(CardgenError) as caught:
        load_deck(())
    assert [each.message for each in caught.value.diagnostics] == [
        "'heat' must be a whole number, not 'x'",
        "'qty' must be at least 1, not 0",
    ]


@pytest.mark.parametrize("name", ["__class__", "_rename_synonyms", "model_dump", "model_fields", "KIND", "mro"])
def test_unknown_keys_lead_nowhere(tmp_path: Path, name: str) -> None:
    (tmp_path / "cards" / "a.yaml").write_text(f"{CARD}{name}: x\n", encoding="utf-8")
    set_template(tmp_path, TEMPLATE.replace("{{ card.name }}", f"{{{{ card['{name}'].x.y }}}}"))
    with pytest.raises(CardgenError, match=r"error\[CG511\]: (not allowed in templates|unknown brave field)"):
        build(BuildRequest(output=tmp_path / "output"))
