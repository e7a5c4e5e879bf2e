"""What a branch changed in the text or the data of a card, and not in the other."""

from __future__ import annotations

from pathlib import Path

import pytest

import cardgen as api
from cardgen.diagnostic import Diagnostic
from tests.products import ROOT
from tests.releases.test_run import git

RELICS = """\
format: 1
game: warniris
kind: relic
cards:
  - name: Road Token
    once: true
    text: Use this at the start of one of the bearer's Activations. The bearer has +5 Movement until
      the end of the turn.
    effects:
      - {when: activation_start, for: turn, bearer: {movement: +5}}
"""
AID = """\
format: 1
game: skirmish
kind: aid
cards:
  - name: Climbing
    text: Roll for it.
    rows:
      - {roll: Higher than 6 inches, result: Nobody jumps that far down.}
"""
FIELD = """\
format: 1
game: diskwars
cards:
  - {kind: scenario, name: The Long March, points: 7, ability: A disk that has a wound token has 1 less movement.,
     bonuses: [{March: movement wounded -1}], objective: Score 1 VP for each enemy disk that is a casualty.}
"""


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("repository")
    names = ["warcry/traits-chaos", "warcry/last-lanterns", "warcry/universal", "warcry/traits-order"]
    names += ["warcry/blessings", "warcry/own-battleplan", "skirmish/scenarios", "warniris/characters"]
    (root / "cards").mkdir()
    for name in names:
        text = (ROOT / f"cards/{name}.yaml").read_text("utf-8")
        (root / f"cards/{name.replace('/', '-')}.yaml").write_text(text, "utf-8")
    (root / "cards/warniris-relics.yaml").write_text(RELICS, "utf-8")
    (root / "cards/skirmish-aid.yaml").write_text(AID, "utf-8")
    (root / "cards/diskwars-field.yaml").write_text(FIELD, "utf-8")
    (root / "cardgen.yaml").write_text("game: warcry\n", "utf-8")
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return root


def changed(repository: Path, monkeypatch: pytest.MonkeyPatch, *edits: tuple[str, str, str]) -> list[Diagnostic]:
    """Return what is found after texts of files were replaced by others."""
    monkeypatch.chdir(repository)
    git(repository, "checkout", "-q", ".")
    for name, old, new in edits:
        path = repository / f"cards/{name}.yaml"
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), "utf-8")
    return [*api.check(changed_since="HEAD")]


SCENARIOS = "skirmish-scenarios"


@pytest.mark.parametrize(
    ("name", "old", "new", "line", "said", "advice"),
    [
        ("warcry-traits-chaos", "of: {side: friend, cost: 125}", "of: {side: enemy, cost: 125}", 11,
         "'enemy' is the opposite of 'friend' before, and its text has not changed",
         "before this branch: `side: friend`; restore that value"),
        ("warniris-characters", "friends: {heal: 2}", "enemies: {heal: 2}", 30,
         "'enemies' is the opposite of 'friends' before, and the rest of it has not changed",
         "before this branch: `friends: {heal: 2}`; restore that value"),
        ("warniris-characters", "if: {range_within: 15}", "if: {range_over: 15}", 30,
         "'over' is the opposite of 'within' before, and the rest of it has not changed",
         "before this branch: `range_within: 15`; restore that value"),
        ("warcry-traits-chaos", 'within 1" of any of your fighters', 'within 11" of any of your fighters', 87,
         "'11' was '1' before, and its data has not changed", "before this branch: "),
        (SCENARIOS, "puts the ring (A) into", "puts the ring (B) into", 117,
         "a text of 'The Margrave's Ring' refers to 'B', but nothing on the card has that letter",
         "before this branch: `… efender puts the ring (A) into its chamber, and …`; restore that value"),
        ("warcry-own-battleplan", "{at: [22, 8], mark: B}", "{at: [22, 8], mark: C}", 21,
         "a text of 'The Flooded Toll' refers to 'B', but nothing on the card has that letter",
         "before this branch: `mark: B`; restore that value"),
        (SCENARIOS, "places three sacks (A)", "places four sacks (A)", 76,
         "on the map, 3 of the markers have the letter A",
         "before this branch: `The defender places three sacks (A) in the barn and the mill`; restore that value"),
        (SCENARIOS, '      - {Loft sack: "19.2,22.4 A"}\n', "", 98,
         "on the map, 2 of the markers have the letter A",
         'this branch removed `- {Loft sack: "19.2,22.4 A"}`; restore it'),
        ("warniris-relics", "for: turn, bearer: {movement: +5}", "for: battle, bearer: {movement: +5}", 10,
         "'battle' was 'turn' before, and the text still says 'turn'",
         "before this branch: `for: turn`; restore that value"),
        ("skirmish-aid", "Higher than 6", "Higher than 9", 8,
         "'9' was '6' before in a text that says what the rules are", "before this branch: "),
        ("diskwars-field", "a wound token", "a damage token", 4,
         "the text says 'damage' instead of 'wound', and the data still has 'wounded'", "before this branch: "),
        ("warniris-relics", "{movement: +5}", "{movement: +50}", 10,
         "'effects.bearer.movement' of 'Road Token' is 50; it was 5", "before this branch: "),
        ("warcry-last-lanterns", "For each 5+, that", "For each 7+, that", 98, "a D6 shows 6 at most",
         "before this branch: `… this ability. For each 5+, that enemy is`; restore that value"),
    ],
)  # fmt: skip
def test_what_changed_on_one_side_only_is_told_with_what_was_there(
    repository: Path, monkeypatch: pytest.MonkeyPatch, name: str, old: str, new: str, line: int, said: str, advice: str
) -> None:
    found = changed(repository, monkeypatch, (name, old, new))
    (told,) = [each for each in found if each.message == said]
    assert {each.place.file for each in found} == {told.place.file}
    assert told.place.span
    assert (told.place.span.line, told.message) == (line, said)
    assert (told.help or "").startswith(advice)


@pytest.mark.parametrize(
    "edits",
    [
        [("warcry-traits-chaos", "{side: friend, cost: 125}", "{side: enemy, cost: 125}"),
         ("warcry-traits-chaos", "by any of your fighters that costs 125", "by any enemy that costs 125")],
        [(SCENARIOS, "places three sacks (A)", "places two sacks (A)"),
         (SCENARIOS, '      - {Loft sack: "19.2,22.4 A"}\n', "")],
        [(SCENARIOS, "The winner picks a corner", "A player who wins picks a corner")],
        [("warcry-last-lanterns", "motto: Two paces. No nearer.", "motto: One pace. No nearer.")],
    ],
)  # fmt: skip
def test_text_and_data_that_are_changed_together_are_not_blamed(
    repository: Path, monkeypatch: pytest.MonkeyPatch, edits: list[tuple[str, str, str]]
) -> None:
    assert [str(each) for each in changed(repository, monkeypatch, *edits)] == []


def test_a_sentence_that_was_read_and_is_not_any_more_is_told(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = "Remove damage points from it equal to the"
    (told,) = changed(repository, monkeypatch, ("warcry-universal", old, "Remove damage points from equal to the"))
    assert told.message == "this sentence was read before this branch, and is not read any more"


def test_what_was_added_to_a_list_is_where_its_finding_stands(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    boy = "      - {fighter: wick-boy}\n"
    found = changed(repository, monkeypatch, ("warcry-last-lanterns", boy, boy * 3))
    (told,) = [each for each in found if each.code == "WC122"]
    assert told.place.source_line == boy.rstrip()
    assert (told.help or "").startswith("this branch added `- {fighter: wick-boy}` and 1 more; remove them, or: ")
