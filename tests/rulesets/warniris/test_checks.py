"""The bounds and figures behind Warniris's checks: worked out from the cards in play, and exact."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from check.trial import checked, found_marks

from cardgen.pipeline.checking import Request
from cardgen.rulesets.warniris.effect import Effect
from cardgen.rulesets.warniris.exchange import Blow, Figures, Guard, damage
from cardgen.rulesets.warniris.kinds import Ability
from cardgen.rulesets.warniris.wording import sentences

ASHA = "kind: character\nname: Asha\nstats: {{M: {M}, B: {B}, S: 3, W: 5, Mo: 10}}\n"


def codes(folder: Path, text: str, *select: str) -> list[str]:
    return [mark.code for mark in found_marks(checked(folder, text, request=Request(select=select)))]


@pytest.mark.parametrize(("penetration", "found"), [(4, []), (5, []), (6, ["WN301"])])
def test_penetration_5_still_matters_against_body_5_and_a_purity_seal(
    penetration: int, found: list[str], tmp_path: Path
) -> None:
    """Ruling clamp-order: there is one clamp, at the end."""
    text = ASHA.format(M=3, B=3) + f"weapons:\n  - Awl: CW R1 P{penetration} D1\n"
    assert codes(tmp_path, text, "WN301") == found


def test_a_stronger_defence_in_play_makes_more_penetration_useful(tmp_path: Path) -> None:
    stats = "stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}"
    deck = (
        f"cards:\n  - {{kind: character, name: Asha, {stats}, weapons: [{{Awl: CW R1 P7 D1}}]}}\n"
        "  - {kind: relic, name: Bulwark, effects: [{when: attacked, bearer: {body: +3}}]}\n"
    )
    assert codes(tmp_path, deck, "WN301") == []
    assert codes(tmp_path, deck.replace("body: +3", "body: +2"), "WN301") == ["WN301"]


def test_a_penalty_in_play_makes_more_of_a_bonus_useful(tmp_path: Path) -> None:
    bonus = ASHA.format(M=5, B=3) + "abilities:\n  - {name: Eye, effects: [{when: attacking, bearer: {mind: +5}}]}\n"
    assert codes(tmp_path, bonus, "WN302") == ["WN302"]
    (tmp_path / "fog.yaml").write_text(
        "kind: relic\nname: Fog\neffects: [{when: attacked, attacker: {mind: -4}}]\n", encoding="utf-8"
    )
    assert codes(tmp_path, bonus, "WN302") == []


@pytest.mark.parametrize(
    ("blow", "guard", "mean"),
    [
        (Blow(4, False, 2, 2), Guard(3, 1), Fraction(10, 9)),  # the worked example of the rules' digest
        (Blow(2, False, 1, 1), Guard(3, 5), Fraction(2, 9)),  # a Sentinel's rifle
        (Blow(3, True, 9, 1), Guard(5, 5), Fraction(5, 12)),  # held at 1, so never unresisted
        (Blow(9, False, 0, 3), Guard(-4, 2), Fraction(25, 12)),  # held at 5, so never sure
    ],
)
def test_mean_damage_is_exact(blow: Blow, guard: Guard, mean: Fraction) -> None:
    assert Fraction(damage(blow, guard), 36) == mean


def test_a_figure_is_far_out_beyond_the_outer_fences_only() -> None:
    figures = {str(number): Fraction(number) for number in range(1, 9)} | {"near": Fraction(18), "far": Fraction(40)}
    spread = Figures(figures)
    assert spread.far_out("near") is None
    far = spread.far_out("far")
    assert far is not None
    assert (far.rank, far.among) == (1, 10)
    assert [far.lowest, far.figure, far.highest] == [Fraction(1), Fraction(40), Fraction(40)]
    assert Figures(dict(list(figures.items())[:7])).far_out("7") is None
    assert spread.far_out("nobody") is None


EFFECTS: list[dict[str, object]] = [
    {"bearer": {"mind": 1, "body": 1, "spirit": 1, "movement": 2, "range": 3, "penetration": 1, "damage": 1}},
    {"when": "turn_start", "friends": {"heal": 1}, "enemies": {"deal": 1, "move": 3}},
    {"when": "damaged", "if": {"roll": [1, 2], "wounds_at_most": 2}, "bearer": {"ignore": 1}},
    {"when": "attacked", "if": {"weapon": "RW", "range_over": 9}, "attacker": {"reroll": "hit"}},
    {"when": "hit", "for": "turn", "target": {"body": -1, "move": 2}},
    {"when": "activation_start", "for": "battle", "while": "reacting", "bearer": {"reroll": "timing"}},
    {"when": "eliminated", "if": {"against": "minion"}, "attacker": {"deal": 2}},
]


@pytest.mark.parametrize("effect", EFFECTS)
def test_the_programs_own_sentences_write_terms_as_the_check_wants_them(
    effect: dict[str, object], tmp_path: Path
) -> None:
    (sentence,) = sentences(Ability(name="Gift", effects=(Effect.model_validate(effect),)))
    text = ASHA.format(M=3, B=3) + f'abilities:\n  - {{name: Gift, text: "{sentence}"}}\n'
    assert codes(tmp_path, text, "CG203", "CG204") == []
    assert codes(tmp_path, text.replace("this Character", "this character"), "CG203") == (
        ["CG203"] if "this Character" in text else []
    )
