from __future__ import annotations

from pathlib import Path
from typing import Any

from cardgen.deck.deck import require_game
from cardgen.project_checks.run import CheckRequest
from cardgen.rulesets import ruleset
from tests.cases import each_case
from tests.checking.harness import checked

PIECES = {
    "token": "icon: bolt",
    "standee": "base: 32",
    "cylinder": "base: 32",
    "ruler": "length: 9",
    "blank": "of: OF",
}
CASES = [(game, kind) for game in ruleset.games() for kind in PIECES if kind in require_game(game).kinds]


@each_case(("game", "kind"), CASES)
def test_printed_pieces_may_be_equal(game: str, kind: str, tmp_path: Path) -> None:
    model: Any = require_game(game).kinds[kind].model
    keys = PIECES[kind].replace(
        "OF", next(iter(getattr(model, "FORMS", None) or getattr(model, "SIZES", None) or [""]))
    )
    cards = "".join(f"  - {{kind: {kind}, name: {name}, {keys}}}\n" for name in ("Anna", "Bert"))
    assert checked(tmp_path, f"format: 1\ngame: {game}\ncards:\n{cards}").findings == ()


DISK = "kind: disk, disk: small, faction: order, race: Fen, cost: 3, attack: 1, counter: 2, toughness: 3, movement: 3"
OWN_GAME = """game: pond
name: Pond
prefix: PN
kinds:
  frog:
    fields:
      leaps: {type: choice, choices: [far, high]}
      eggs: {type: integer}
      croak: {type: text, optional: true}
"""


@each_case(
    ("game", "keys", "found"),
    [
        ("diskwars", "kind: terrain, keywords: [rough, cover]", 0),
        ("diskwars", "kind: terrain, keywords: [rough], ability: It smells of old eggs and of wet dogs.", 1),
        ("diskwars", DISK, 1),
        ("pond", "kind: frog, leaps: far, eggs: 40", 0),
        ("pond", "kind: frog, leaps: far, eggs: 40, croak: It croaks at night.", 1),
    ],
)
def test_two_cards_can_have_the_same_keywords(game: str, keys: str, found: int, tmp_path: Path) -> None:
    (tmp_path / "games/pond").mkdir(parents=True)
    (tmp_path / "games/pond/game.yaml").write_text(OWN_GAME, encoding="utf-8")
    text = f"game: {game}\ncards:\n  - {{name: Anna, {keys}}}\n  - {{name: Bert, {keys}}}\n"
    outcome = checked(tmp_path, text, request=CheckRequest(select=("CG125",)))
    assert [one.diagnostic.code for one in outcome.findings] == ["CG125"] * found


def test_many_copies_are_one_finding(tmp_path: Path) -> None:
    names = ("Anna", "Bert", "Carl", "Dora")
    cards = "".join(f"  - {{name: {name}, effects: [{{when: turn_start, bearer: {{heal: 1}}}}]}}\n" for name in names)
    outcome = checked(
        tmp_path, f"game: warniris\nkind: relic\ncards:\n{cards}", request=CheckRequest(select=("CG125",))
    )
    (found,) = outcome.findings
    assert found.diagnostic.message == "'Bert' and 2 more do exactly what 'Anna' does"
    assert len(found.diagnostic.related) == 3


def test_a_copy_of_a_card_of_the_kit_can_be_replaced_by_it(tmp_path: Path) -> None:
    effect = "{when: damaged, if: {roll: [1]}, bearer: {ignore: 1}}"
    text = f"game: warniris\nkind: relic\nname: My Halo\neffects: [{effect}]\n"
    (found,) = checked(tmp_path, text, request=CheckRequest(select=("CG125",))).findings
    assert found.diagnostic.message == "'My Halo' does exactly what 'Iron Halo' does"
    assert "the sample kit" in found.diagnostic.help
