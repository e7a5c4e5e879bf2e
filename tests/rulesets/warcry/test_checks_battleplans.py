"""What the checks of battleplans report, word for word, and what they pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.project_checks.run import CheckRequest
from cardgen.rulesets.warcry.cards import Battleplan
from cardgen.rulesets.warcry.checks.battleplans import rule_against_text
from tests.cases import each_case
from tests.checking.harness import checked
from tests.rulesets.warcry.test_cards import all_of

PLAN = """game: warcry
kind: battleplan
name: The Ford
map: {map}
primary: {{text: "{primary}"}}
secondary: {{text: Take an enemy down.}}
twist: {{text: It floods.}}
"""
RED = "{side: red, group: shield, at: [3, 11]}"
BLUE = "{side: blue, group: shield, at: [27, 11]}"
BOTH = f"points: [{RED}, {BLUE}]"
OBJECTIVE = "objectives: [{at: [15, 11]}]"


def messages(folder: Path, text: str, select: str) -> list[tuple[str, str]]:
    outcome = checked(folder, text, request=CheckRequest(select=(select,)))
    return [(one.diagnostic.message, one.diagnostic.help) for one in outcome.findings]


def plan(field: str = f"{{{BOTH}}}", primary: str = "Take two down.") -> str:
    return PLAN.format(map=field, primary=primary)


@pytest.mark.parametrize(
    ("points", "found"),
    [
        (f"[{RED}]", [("the map has no deployment points for blue", "add them")]),
        (f"[{BLUE}]", [("the map has no deployment points for red", "add them")]),
        (f"[{RED}, {BLUE}]", []),
        ("[{side: either, at: [3, 3]}]", []),
        ("[{side: red, at: [3, 3]}, {side: blue, at: [9, 9]}]", []),
        (f"[{RED}, {BLUE}, {{side: either, group: hammer, at: [9, 9]}}]", []),
        (f"[{RED}, {{side: blue, at: [9, 9]}}]", []),
        (f"[{RED}, {BLUE}, {{side: red, group: dagger, at: [3, 3]}}, {{side: red, group: hammer, at: [3, 9]}}]",
         [("blue has no deployment point for its dagger and hammer, but red has", "add it, or remove it for red")]),
        ("[]", []),
    ],
)  # fmt: skip
def test_both_sides_deploy(points: str, found: list[tuple[str, str]], tmp_path: Path) -> None:
    assert messages(tmp_path, plan(f"{{points: {points}}}"), "WC310") == found


@pytest.mark.parametrize(
    ("field", "primary", "found"),
    [
        (f"{{{BOTH}}}", "Control any objective, then another objective.",
         [("the map shows no objective", "add 'objectives' to the map")]),
        (f"{{{OBJECTIVE}}}", "Control objectives A and B.",
         [("the map shows no objective A", "add 'mark: A' to an objective"),
          ("the map shows no objective B", "add 'mark: B' to an objective")]),
        (f"{{{BOTH}}}", "Control a table quarter.",
         [("the map shows no table quarters", "add 'quarters: true' to the map")]),
        (f"{{{BOTH}, quarters: true}}", "Control a table quarter.", []),
        (f"{{{OBJECTIVE}}}", "Control the objective.", []),
        (f"{{{OBJECTIVE}}}", "Each objective. A fighter controls one.", []),
        ("{quarters: true}", "Control objective A.", []),
        ("null", "Control objective A.", []),
    ],
)  # fmt: skip
def test_the_map_shows_what_texts_name(field: str, primary: str, found: list[tuple[str, str]], tmp_path: Path) -> None:
    assert messages(tmp_path, plan(field, primary), "WC311") == found


@each_case(
    ("field", "score", "rules", "found"),
    [
        (BOTH, "any-objective", "", ["the map shows no objective"]),
        (OBJECTIVE, "any-objective", "", []),
        (BOTH, "red-holds-b", "", ["the map shows no objective"]),
        (OBJECTIVE, "red-holds-b", "", ["the map shows no objective B"]),
        (OBJECTIVE, "blue-holds-a", "", ["the map shows no objective A"]),
        (BOTH, "each-hero", "secondary: {rule: more-quarters}", ["the map shows no table quarters"]),
        (BOTH, "each-hero", "twist: {rule: ignore-quarter}", ["the map shows no table quarters"]),
        (BOTH, "each-hero", "secondary: {rule: more-halves}", ["the map shows no table halves"]),
        (f"{BOTH}, halves: diagonal", "each-hero", "secondary: {rule: more-halves}", []),
        (BOTH, "each-hero", "twist: {rule: prize-objective}", ["the map shows no objective"]),
        (BOTH, "each-hero", "secondary: {rule: extra-objective}", []),
    ],
)  # fmt: skip
def test_the_map_shows_what_the_match_tracker_counts(
    field: str, score: str, rules: str, found: list[str], tmp_path: Path
) -> None:
    text = plan(f"{{{field}}}").replace('{text: "Take two down."}', f"{{scores: [{{when: {score}, text: Score.}}]}}")
    key = rules.partition(":")[0]
    lines = [rules if key and line.startswith(f"{key}:") else line for line in text.splitlines()]
    assert [message for message, _ in messages(tmp_path, "\n".join(lines), "WC311")] == found


def test_table_halves_are_shown(tmp_path: Path) -> None:
    found = [("the map shows no table halves", "add 'halves: left-right' to the map")]
    assert messages(tmp_path, plan(primary="Control more table halves."), "WC311") == found
    assert not messages(tmp_path, plan(f"{{{BOTH}, halves: left-right}}", "Control a table half."), "WC311")


@pytest.mark.parametrize(("key", "value"), [("when: two-objectives, text: Two.", ""), ("text: Win.", "new-objectives")])
def test_objectives_that_the_match_tracker_counts_are_used(key: str, value: str, tmp_path: Path) -> None:
    text = plan(f"{{{OBJECTIVE}}}").replace('{text: "Take two down."}', f"{{scores: [{{{key}}}]}}")
    text = text.replace("{text: Take an enemy down.}", f"{{rule: {value}}}") if value else text
    assert not messages(tmp_path, text, "WC313")


@pytest.mark.parametrize(
    ("key", "rule", "found"),
    [
        ("secondary", "devastation", []),
        ("twist", "prize-objective", []),
        ("twist", "more-wild-dice", []),
        ("secondary", "prize-objective",
         [("'prize-objective' is a rule of a twist", "move it to 'twist', or remove 'rule'")]),
        ("twist", "more-quarters",
         [("'more-quarters' is a rule of a secondary victory condition", "move it to 'secondary', or remove 'rule'")]),
        ("primary", "devastation",
         [("'devastation' is a rule of a secondary victory condition", "move it to 'secondary', or remove 'rule'")]),
    ],
)  # fmt: skip
def test_rules_are_where_the_match_tracker_plays_them(
    key: str, rule: str, found: list[tuple[str, str]], tmp_path: Path
) -> None:
    lines = plan().splitlines()
    text = "\n".join(f"{key}: {{rule: {rule}, text: Win.}}" if line.startswith(f"{key}:") else line for line in lines)
    assert messages(tmp_path, text, "WC323") == found


def test_a_note_has_no_rule(tmp_path: Path) -> None:
    text = plan() + "sections: [{name: Setup, text: Place it., rule: devastation}]\n"
    assert [message for message, _ in messages(tmp_path, text, "WC323")] == [
        "'devastation' is a rule of a secondary victory condition"
    ]


def test_each_text_of_a_plan_is_read(tmp_path: Path) -> None:
    text = plan().replace("{text: It floods.}", "{scores: [{vp: 1, text: Controlling an objective.}]}")
    assert len(messages(tmp_path, text, "WC311")) == 1
    text = plan() + "sections: [{name: Setup, text: Place the objective.}]\nvictory: Whoever holds the objective.\n"
    assert len(messages(tmp_path, text, "WC311")) == 1, "once for each thing"


@pytest.mark.parametrize(
    ("round_", "primary", "settings", "found"),
    [
        (7, "", "", [("battle round 7 never comes", "use battle round 1 to 4")]),
        (5, "", "", [("battle round 5 never comes", "use battle round 1 to 4")]),
        (5, "", "rulings: {rounds: five}", []),
        (4, "", "rulings: {rounds: three}", [("battle round 4 never comes", "use battle round 1 to 3")]),
        (4, "", "", []),
        (7, "The battle lasts 7 battle rounds.", "", []),
        (7, "The battle lasts seven battle rounds.", "", []),
        (1, "In battle round 6, score 2 victory points.", "",
         [("battle round 6 never comes", "use battle round 1 to 4")]),
        (1, "At the end of the fifth battle round, score 2 victory points.", "",
         [("battle round 5 never comes", "use battle round 1 to 4")]),
        (1, "After the 6th battle round, score 2 victory points.", "",
         [("battle round 6 never comes", "use battle round 1 to 4")]),
        (1, "At the end of the fourth battle round, score 2. The second battle round is dark.", "", []),
        (1, "In battle rounds 2 and 3, score 2.", "", []),
    ],
)  # fmt: skip
def test_battle_rounds_come(
    round_: int, primary: str, settings: str, found: list[tuple[str, str]], tmp_path: Path
) -> None:
    (tmp_path / "cardgen.yaml").write_text(f"game: warcry\n{settings}\n", encoding="utf-8")
    field = f"{{points: [{RED}, {BLUE}, {{side: either, at: [1, 1], round: {round_}}}]}}"
    assert messages(tmp_path, plan(field, primary or "Win."), "WC312") == found


@pytest.mark.parametrize(
    ("field", "primary", "found"),
    [
        (f"{{{OBJECTIVE}}}", "Take them down.",
         [("no rule of the battleplan speaks of objectives", "write what they are for, or remove them")]),
        (f"{{{OBJECTIVE}}}", "Objectives score 1 victory point.", []),
        ("{objectives: [{at: [1, 1], mark: A}, {at: [2, 2], mark: A}]}", "Any objective.",
         [("repeated letter 'A'", "give each objective a letter of its own")]),
        ("{objectives: [{at: [1, 1]}, {at: [2, 2]}]}", "Any objective.", []),
        ("null", "Win.", []),
    ],
)  # fmt: skip
def test_objectives_are_used_and_told_apart(
    field: str, primary: str, found: list[tuple[str, str]], tmp_path: Path
) -> None:
    assert messages(tmp_path, plan(field, primary), "WC313") == found


@pytest.mark.parametrize(
    ("score", "found"),
    [
        ("{text: Controlling the ford.}", [("the condition scores no victory points", "add 'vp' with a number")]),
        ("{vp: 1, text: Controlling the ford.}", []),
        ("{text: 2 victory points for the ford.}", []),
        ("{text: One victory point for the ford.}", []),
    ],
)
def test_conditions_score(score: str, found: list[tuple[str, str]], tmp_path: Path) -> None:
    text = plan().replace('{text: "Take two down."}', f"{{scores: [{score}]}}")
    assert messages(tmp_path, text, "WC314") == found


@pytest.mark.parametrize(
    ("field", "primary", "found"),
    [
        ("null", "Each enemy within 38 inches.",
         [("no two places on the battlefield are 38 inches apart", "the diagonal is 37 inches")]),
        ("null", "Each enemy within 37 inches.", []),
        ("{width: 48, height: 48}", "Each enemy within 60 inches.", []),
        ("{width: 48, height: 48}", "Each enemy within 70 inches.",
         [("no two places on the battlefield are 70 inches apart", "the diagonal is 67 inches")]),
        ("null", "Roll 100 dice.", []),
    ],
)  # fmt: skip
def test_distances_fit_the_battlefield(field: str, primary: str, found: list[tuple[str, str]], tmp_path: Path) -> None:
    assert messages(tmp_path, plan(field, primary), "WC321") == found


SAYS = "the battle tracker plays '{}', {}, and the text says "
OTHER = f"{SAYS}something else"
TWO = SAYS.format("two-objectives", "control of two objectives or more")


@each_case(
    ("section", "found"),
    [
        ("primary: {scores: [{vp: 2, when: any-objective, text: 1 victory point for any objective.}]}",
         ["the text says 1 victory point, but 'vp' is 2"]),
        ("primary: {scores: [{vp: 2, text: Whoever holds it scores one victory point.}]}",
         ["the text says 1 victory point, but 'vp' is 2"]),
        ("primary: {scores: [{vp: 2, when: any-objective, text: Two victory points for any objective.}]}", []),
        ("primary: {scores: [{vp: 2, when: two-objectives, text: Controlling three or more objectives.}]}",
         [f"{TWO}'three or more objectives' instead of 2"]),
        ("primary: {scores: [{vp: 2, when: two-objectives, text: Controlling at least 3 objectives.}]}",
         [f"{TWO}'at least 3 objectives' instead of 2"]),
        ("primary: {scores: [{vp: 2, when: two-objectives, text: Controlling 2 or more objectives.}]}", []),
        ("primary: {scores: [{vp: 2, when: any-objective, text: Controlling two or more objectives.}]}",
         [SAYS.format("any-objective", "control of an objective") + "'two or more objectives' instead of 1"]),
        ("primary: {scores: [{vp: 1, when: each-hero, text: Each enemy Monster that is taken down.}]}",
         [OTHER.format("each-hero", "Heroes among the enemies taken down")]),
        ("secondary: {rule: devastation, text: The first player near the objective scores 1 victory point.}",
         [OTHER.format("devastation", "higher devastation total")]),
        ("primary: {scores: [{vp: 1, when: any-taken-down, text: Each enemy taken down in this battle round.}]}",
         [OTHER.format("any-taken-down", "an enemy was taken down")]),
        ("primary: {scores: [{vp: 1, when: any-taken-down, text: Two or more enemies were taken down.}]}",
         [SAYS.format("any-taken-down", "an enemy was taken down") + "'Two or more enemies' instead of 1"]),
        ("primary: {scores: [{vp: 1, when: any-taken-down, text: An enemy was taken down in each battle round.}]}", []),
        ("primary: {scores: [{vp: 1, when: each-hero, text: An enemy Hero was taken down.}]}",
         [OTHER.format("each-hero", "Heroes among the enemies taken down")]),
        ("primary: {scores: [{vp: 1, when: each-hero, text: Each enemy Hero taken down in this battle round.}]}",
         [OTHER.format("each-hero", "Heroes among the enemies taken down")]),
        ("primary: {scores: [{vp: 1, when: any-objective, text: Each objective that you control.}]}",
         [OTHER.format("any-objective", "control of an objective")]),
        ("primary: {scores: [{vp: 2, when: more-objectives, text: Controlling fewer objectives than they do.}]}",
         [OTHER.format("more-objectives", "control of more objectives")]),
        ("primary: {scores: [{vp: 2, when: more-objectives, text: The opponent controls fewer objectives.}]}", []),
        ("secondary: {rule: devastation, text: The player whose total is lower scores 2 victory points.}",
         [OTHER.format("devastation", "higher devastation total")]),
        ("secondary: {rule: devastation, text: The player with the higher total scores 3 victory points.}",
         [SAYS.format("devastation", "higher devastation total") + "3 victory points instead of 2"]),
        ("secondary: {rule: devastation, text: Take down more.}", []),
        ("twist: {rule: silence-enemy, text: The player with more victory points picks an enemy that cannot use "
         "abilities.}", [OTHER.format("silence-enemy", "an enemy cannot use abilities")]),
        ("twist: {rule: silence-enemy, text: Pick an enemy that cannot use abilities for the rest of the battle.}",
         [OTHER.format("silence-enemy", "an enemy cannot use abilities")]),
        ("twist: {rule: silence-enemy, text: Pick an enemy that cannot use abilities for the rest of the battle "
         "round.}", []),
        ("twist: {rule: prize-objective, text: Whoever controls an objective scores 2 extra victory points.}",
         [SAYS.format("prize-objective", "an objective is worth more") + "2 victory points instead of 1"]),
        ("twist: {rule: prize-objective, text: Whoever controls an objective scores 1 extra victory point.}", []),
        ("twist: {rule: exhaust-enemy, text: An enemy has −1 Toughness.}",
         [OTHER.format("exhaust-enemy", "an enemy is exhausted")]),
        ("twist: {rule: strength-near-objective, text: '+1 Strength within 6\" of an objective.'}",
         [SAYS.format("strength-near-objective", "more Strength near an objective") + "within 6 inches instead of 3"]),
        ("twist: {rule: silence-enemy, text: The player with fewer victory points picks an objective.}",
         [OTHER.format("silence-enemy", "an enemy cannot use abilities")]),
        ("twist: {rule: silence-enemy, text: It floods.}", []),
    ],
)  # fmt: skip
def test_texts_say_what_the_match_tracker_plays(section: str, found: list[str], tmp_path: Path) -> None:
    key = section.partition(":")[0]
    text = "\n".join(section if line.startswith(f"{key}:") else line for line in plan().splitlines())
    assert [message for message, _ in messages(tmp_path, text, "WC333")] == found


# A number or a word of the sample kit's texts, and another one with which the text is no longer that of its rule.
MUTATIONS = """\
A Worthy Foe: divided by 100 → divided by 50; rounded up → rounded down; the next battle round → the same battle round
Battlefield Supremacy: more places → fewer places; 2 victory points → 3 victory points
Control Ground: fighters wholly within → fighters within; more table quarters → fewer table quarters
Desperate Strength: +1 Strength → +2 Strength; within 3" → within 6"
Devastate their Ranks: higher → lower; so far → in that battle round
Flickering Shrines: start inactive → start active; 2 victory points → 3 victory points
Glittering Hoard: 1 extra → 2 extra; fewer → more
Grim Resolve: primary victory → secondary victory; fewer → more
Half the Battle: 2 victory points → 1 victory point; fighters wholly within → fighters within
Held in a Bloody Fist: The first time in each battle round that → Each time; 2 victory points → 4 victory points
It Ain't Worth It: primary or secondary → primary; primary or secondary → secondary
It's Ours!: 1 victory point → 2 victory points
Might Makes Right: 3" of the attacker → 6" of the attacker; 1" of an objective → 3" of an objective; The first time in each battle round that → Whenever
No Half Measures: rounded down → rounded up; the opponent's fighters → each player's fighters
No Quarter: in that battle round → for the rest of the battle
Nothing Left Worth Looting: if 4 or more → if 3 or more; one controlled by the opponent → one that they control
Pulsing Power: one wild die for each victory point they are behind → one wild die; one wild die for → two wild dice for; Before → After
Suffer No Weakness: −2 Toughness → −3 Toughness; 1 victory point → 2 victory points; its own player → its opponent
Take Their Measure: 2 victory points → 1 victory point
Tangled Roots: use abilities → make reactions
What's Yours Should Be Mine: 2 victory points → 1 victory point; an enemy was → a friendly fighter was
Worthless Ruin: From then on → Until the end of the battle round
"""  # noqa: E501


def _sections() -> dict[str, tuple[Battleplan, str]]:
    """The secondary victory conditions and twists of the sample kit by name, each with its battleplan and key."""
    plans = [plan for plan in all_of(Battleplan).values() if isinstance(plan, Battleplan)]
    return {plan.main_sections[key].name or "": (plan, key) for plan in plans for key in ("secondary", "twist")}


def test_a_wrong_word_in_a_text_of_the_sample_kit_is_found() -> None:
    sections, kept = _sections(), list[str]()
    assert [finding for plan, _ in sections.values() for finding in rule_against_text(plan)] == []
    for line in MUTATIONS.splitlines():
        name, _, changes = line.partition(": ")
        plan, key = sections[name]
        for change in changes.split("; "):
            old, new = change.split(" → ")
            section = plan.main_sections[key]
            assert section.text
            assert old in section.text, change
            other = section.model_copy(update={"text": section.text.replace(old, new)})
            if not [*rule_against_text(plan.model_copy(update={key: other}))]:
                kept.append(f"{name}: {change}")
    assert kept == []


@each_case(
    ("rule", "text"),
    [
        ("worthy-foe", "If it falls in the next battle round, its foe scores 1 victory point for every 100 points."),
        ("worthy-foe", "At the end of this battle round, the dearest fighter of each side becomes a worthy foe."),
        ("fall-near-objective", "Whenever the first fighter of a battle round falls within 3 inches of an objective, "
         "its opponent scores 2 victory points."),
        ("enemy-falls-near-objective", "Did an enemy fall within 3\" of an objective to a friendly fighter's attack or "
         "otherwise? Then score 2 victory points."),
        ("active-objectives", "Objectives are inactive at first. More active ones are worth 2 victory points."),
        ("more-quarters", "Whoever holds more table quarters scores 2 victory points. Count those wholly within them."),
        ("more-halves", "Whoever has more fighters in more of the halves scores 2 victory points."),
        ("more-wild-dice", "A player who trails by some victory points gains that many wild dice first."),
        ("more-wild-dice", "Before the initiative phase, gain wild dice equal to the difference in victory points."),
        ("remove-two-objectives", "If at least 4 objectives are left, the player with fewer victory points removes one "
         "and another that the enemy controls."),
        ("ignore-objective", "Pick an objective. Nobody scores for it in this battle round."),
        ("ignore-fighters", "Your fighter is ignored for the primary victory condition until the battle round ends."),
        ("exhaust-enemy", "An enemy has -2 Toughness. If it still stands, its owner scores 1 victory point."),
        ("halve-half", "In one table half, the opponent counts half of their fighters, rounding down."),
    ],
)  # fmt: skip
def test_the_same_in_other_words_is_not_blamed(rule: str, text: str) -> None:
    plan, key = next(each for each in _sections().values() if each[0].main_sections[each[1]].rule == rule)
    section = plan.main_sections[key].model_copy(update={"text": text})
    assert [*rule_against_text(plan.model_copy(update={key: section}))] == []


@each_case(
    ("rule", "text"),
    [
        ("strength-near-objective", 'Add 2 to the Strength of attacks within 3" of an objective.'),
        ("strength-near-objective", 'Subtract 1 from the Strength of attacks within 3" of an objective.'),
        ("exhaust-enemy", "Subtract 3 from the Toughness of an exhausted enemy."),
        ("exhaust-enemy", "Add 2 to the Toughness of an exhausted enemy."),
        ("active-objectives", "Each objective is active from the start. Who has more active ones scores."),
        ("ruin-place-of-power", "Nobody controls that place for the rest of the battle round."),
        ("ignore-objective", "If one player has more victory points, that player picks an objective to ignore."),
        ("halve-half", "Only half of the fighters of both warbands in it count, rounding down."),
        ("more-wild-dice", "The player with fewer victory points gains a wild die."),
        ("worthy-foe", "For every 50 points of the fighter, score 1 victory point."),
    ],
)
def test_something_else_in_other_words_is_blamed(rule: str, text: str) -> None:
    plan, key = next(each for each in _sections().values() if each[0].main_sections[each[1]].rule == rule)
    section = plan.main_sections[key].model_copy(update={"text": text})
    (finding,) = rule_against_text(plan.model_copy(update={key: section}))
    assert finding.message.startswith(f"the battle tracker plays '{rule}'")
