"""`cardgen explain` says what is understood of texts, and never more."""

from __future__ import annotations

import json

import pytest

from tests.cli.commands import Program
from tests.projects import MINION, Folder

RELICS = """\
format: 1
game: warniris
kind: relic
cards:
  - {name: Cloak, effects: [{when: attacked, if: {range_over: 12}, attacker: {mind: -1}}]}
  - {name: Ring, text: 'Enemies within 6cm suffer -1 Body. Allies never sleep.'}
  - {name: Iron, text: 'When it strikes, the bearer may dance until end of turn.'}
"""


def test_each_sentence_is_explained(folder: Folder, cardgen: Program) -> None:
    folder.write("cards/relics.yaml", RELICS)
    outcome = cardgen("explain", "ring")
    assert outcome.code == 0
    assert outcome.out.splitlines() == [
        "Ring (relic ring), cards/relics.yaml:6:5",
        "  Enemies within 6cm suffer -1 Body.",
        "    read",
        "    read as: Enemies within 6\N{NO-BREAK SPACE}cm have −1\N{NO-BREAK SPACE}Body.",
        "    the referee applies it at all times, for those that the table measures to be near enough",
        "  Allies never sleep.",
        "    not read",
        "      not read: Allies never sleep",
        "    the referee leaves it to the players",
    ]


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        (
            "Once per turn, when the bearer is attacked, it may regain 1 Wound.",
            "Once a turn, when the bearer is Attacked, you may use this: the bearer regains 1 Wound.",
        ),
        (
            "Once per battle, the bearer may regain 2 Wounds at the start of its activation.",
            "Once a battle, at the start of one of the bearer’s Activations, you may use this: the bearer regains 2 "
            "Wounds.",
        ),
        ("Enemies within 6cm suffer -1 Body.", "Enemies within 6 cm have −1 Body."),
    ],
)
def test_the_limit_on_a_use_is_shown(folder: Folder, cardgen: Program, text: str, read_as: str) -> None:
    folder.write("cards/relics.yaml", RELICS + f"  - {{name: Cup, text: '{text}'}}\n")
    told = cardgen("explain", "cup").out.replace("\N{NO-BREAK SPACE}", " ")
    assert f"    read as: {read_as}\n" in told


def test_sentences_made_from_effects_are_read(folder: Folder, cardgen: Program) -> None:
    folder.write("cards/relics.yaml", RELICS)
    [card] = json.loads(cardgen("explain", "cloak", "--json").out)["cards"]
    [text] = card["texts"]
    assert (card["id"], text["own_text"], text["sentences"][0]["level"]) == ("cloak", False, "read")


def test_the_coverage_of_a_folder(folder: Folder, cardgen: Program) -> None:
    folder.write("cards/relics.yaml", RELICS)
    counts = json.loads(cardgen("explain", "--coverage", "cards", "--json").out)["coverage"]
    assert (counts["sentences"], counts["read"], counts["loosely"], counts["unread"]) == (4, 2, 0, 2)
    assert 0 < counts["words_read"] < counts["words"]
    assert {"text": "allies never sleep", "count": 1} in counts["unread_clauses"]
    assert "commonest clauses that were not read:" in cardgen("explain", "--coverage").out


def test_the_cards_of_a_file(folder: Folder, cardgen: Program) -> None:
    folder.write("cards/relics.yaml", RELICS)
    head, _, _ = RELICS.partition("  - ")
    folder.write("drafts/more.yaml", f"{head}  - {{name: Bracelet, text: 'Allies never sleep.'}}\n")
    outcome = cardgen("explain", "bracelet", "--cards", "drafts")
    assert outcome.out.startswith("Bracelet (relic bracelet), drafts/more.yaml:5:5\n")
    assert cardgen("explain", "bracelet").code == 2
    both = cardgen("explain", "--coverage", "cards/relics.yaml", "--cards", "drafts/more.yaml")
    assert both.out.startswith("5 sentences")


def test_unknown_cards_are_errors(folder: Folder, cardgen: Program) -> None:
    folder.write("cards/relics.yaml", RELICS)
    assert cardgen("explain", "nobody").code == 2


DISKWARS = """\
format: 1
game: diskwars
cards:
  - {kind: disk, name: Ash, disk: small, faction: order, race: Fen, cost: 3, attack: 2, counter: 1, toughness: 2,
     movement: 3, focus: Empower a friendly disk. It cheers., focus_effects: [{Cheer: empower friend short}],
     ability: Enemies beside it have 1 less counter strength.}
  - {kind: disk, name: Elm, disk: small, faction: order, race: Fen, cost: 3, attack: 2, counter: 1, toughness: 2,
     movement: 3}
"""


def test_texts_of_a_game_without_a_grammar_say_what_the_referee_plays(folder: Folder, cardgen: Program) -> None:
    folder.write("cards/disks.yaml", DISKWARS)
    reason = "    not read: no effect is made of it; 'cardgen check' compares what it says with the card"
    left = "    not read: no effect is made of it; 'cardgen check' compares nothing of it with the card"
    assert cardgen("explain", "ash").out.splitlines() == [
        "Ash (disk ash), cards/disks.yaml:4:5",
        "  focus:",
        "  Empower a friendly disk.",
        reason,
        "    the referee plays 'focus_effects' in a battle: Cheer: empower friend short",
        "  It cheers.",
        left,
        "    the referee plays 'focus_effects' in a battle: Cheer: empower friend short",
        "  ability:",
        "  Enemies beside it have 1 less counter strength.",
        left.replace("nothing of it", "only 'Enemies', '1 less counter strength'"),
        "    the referee leaves it to the players",
    ]
    folder.write("cards/disks.yaml", DISKWARS.replace("It cheers.", "She cheers for 2 arcane damage."))
    part = "'cardgen check' compares only '2 arcane damage' with the card"
    assert f"    not read: no effect is made of it; {part}" in cardgen("explain", "ash").out.splitlines()
    assert cardgen("explain", "elm").out == "these cards have no texts to explain\n"
    [card] = json.loads(cardgen("explain", "ash", "--json").out)["cards"]
    assert [text["key"] for text in card["texts"]] == ["focus", "ability"]


def test_a_text_beside_fields_of_the_referee_is_not_left_to_the_players(folder: Folder, cardgen: Program) -> None:
    folder.write(
        "cards/warriors.yaml",
        "format: 1\ngame: skirmish\nkind: warrior\nname: Ada\nm: 4\nws: 3\nbs: 3\ns: 3\nt: 3\nw: 1\ni: 3\na: 1\n"
        "ld: 8\npoints: 9\ntext: She has a ward save of 6.\n",
    )
    assert cardgen("explain").out.splitlines()[-1] == "    the referee reads only the other fields of the card"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The target has -9 Mind until the end of the turn.", "'mind' must be between -5 and 5, not -9"),
        ("It loses 3 cm Movement.", "unclear: whom it harms"),
        ("The enemy loses 3 cm Movement until the end of the turn.", "unclear: nobody that it refers to"),
        ("The target loses 3 cm Movement.", "unclear: when it begins or ends"),
    ],
)
def test_a_sentence_of_known_clauses_has_a_reason(folder: Folder, cardgen: Program, text: str, reason: str) -> None:
    weapon = f"{{name: Hook, type: CW, range: 1, damage: 1, text: {text}}}"
    folder.write("cards/ash.yaml", f"{MINION.partition('weapons')[0]}weapons: [{weapon}]\n")
    assert f"    not read: {reason}\n" in cardgen("explain", "minion").out


def test_a_reason_names_the_key_of_a_value(folder: Folder, cardgen: Program) -> None:
    rule = "kind: ability\nname: Rest\nprice: double\ntext: This fighter heals 50 damage points."
    folder.write("cards/rest.yaml", f"game: warcry\n{rule}\n")
    assert "    not read: 'heal' must be between 1 and 30, not 50\n" in cardgen("explain", "rest").out


def test_a_sentence_of_two_meanings_shows_both(folder: Folder, cardgen: Program) -> None:
    text = "When attacked, the enemy loses 3 cm Movement."
    folder.write("cards/relics.yaml", RELICS + f"  - {{name: Cup, text: '{text}'}}\n")
    first, second = (
        "Whoever Attacks the bearer does so at −3 cm Movement.",
        "When the bearer is Attacked, it gets −3 cm Movement.",
    )
    told = cardgen("explain", "cup").out.replace("\N{NO-BREAK SPACE}", " ")
    assert f"    not read: it can mean 2 different things: {first} / {second}\n" in told


@pytest.mark.parametrize("text", ["The bearer is stuck in the mud.", "Push an enemy.", "This is a second Reaction."])
def test_a_nearest_form_is_near_and_has_no_grammar(folder: Folder, cardgen: Program, text: str) -> None:
    folder.write("cards/relics.yaml", RELICS + f"  - {{name: Cup, text: '{text}'}}\n")
    told = cardgen("explain", "cup").out
    assert "not read: " in told
    assert "<" not in told
    assert ("nearest form: this is … second Reaction" in told) is ("second" in text)


@pytest.mark.parametrize(
    ("when", "party", "weapon", "told"),
    [
        ("attacked", "attacker", "CW/RW", "when it is Attacked"),
        ("attacked", "attacker", "P", "when it is Channeled at"),
        ("attacking", "bearer", "RW", "when it Attacks"),
        ("missed", "bearer", "CW/RW", "when an Attack at it misses"),
        ("missed", "bearer", "P", "when a Channel at it misses"),
    ],
)
def test_the_referee_names_the_attacks_of_the_weapons(
    folder: Folder, cardgen: Program, when: str, party: str, weapon: str, told: str
) -> None:
    effect = f"{{when: {when}, if: {{weapon: {weapon}}}, {party}: {{mind: -1}}, for: turn}}"
    folder.write("cards/relics.yaml", RELICS + f"  - {{name: Cup, effects: [{effect}]}}\n")
    assert f"    the referee applies it {told}, and" in cardgen("explain", "cup").out


def test_what_is_only_printed_is_counted_by_checks_and_listed(folder: Folder, cardgen: Program) -> None:
    relics = RELICS + "  - {name: Ox, text: Enemies within 6 cm have -1 Body. It dances.}\n"
    folder.write("cards/relics.yaml", relics)
    folder.write("cards/ash.yaml", MINION)
    last = "; 3 texts are only printed, not understood: see 'cardgen explain --unread'\n"
    for _ in range(2):  # The second run knows what the first one found.
        assert cardgen("check").out.endswith(last)
        folder.write("cards/ash.yaml", MINION + "\n")
    assert json.loads(cardgen("check", "--json", "cards/relics.yaml").out)["unread_texts"] == 3
    assert "printed" not in cardgen("check", "cards/ash.yaml").out
    told = cardgen("explain", "--unread").out
    assert "  It dances.\n    not read\n" in told
    assert "Enemies within 6" not in told
    assert "Cloak" not in told
