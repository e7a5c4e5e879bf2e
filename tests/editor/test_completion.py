"""Completions of a file that is being written, and so is usually not valid."""

from __future__ import annotations

import pytest

from cardgen.editor.template_help import completions_in
from tests.cases import each_case
from tests.editor.harness import Editor
from tests.game_file.games import BRAVE, HEADER, write_game

CARD = "kind: relic\nname: X\n"
COMPLETIONS = {
    "a kind": ("kind: rel|", {"relic"}),
    "a key before the colon": (CARD + "mo|", {"motto"}),
    "a key between others": (CARD + "mo|\ntext: y\n", {"motto"}),
    "a key that exists": (CARD + "te|\ntext: y\n", {"template", "note"}),
    "a key in an open brace": (CARD + "effects:\n  - {wh|", {"when", "while"}),
    "a key after a comma": (CARD + "effects:\n  - {when: attacked, att|\n", {"attacker"}),
    "a key of an item": (CARD + "effects:\n  - when: attacked\n    if:\n      wea|\n", {"weapon", "weapon_name"}),
    "a choice": (CARD + "effects:\n  - {when: attacki|}\n", {"attacking", "enemy_attacking"}),
    "a choice in a block": (
        CARD + "effects:\n  - when: attacki|\n    bearer: {heal: 1}\n",
        {"attacking", "enemy_attacking"},
    ),
    "a flag": (CARD + "draft: |\n", {"true", "false"}),
    "a key of a card in a deck": ("kind: minion\ncards:\n  - name: X\n    wea|\n  - name: Y\n", {"weapons"}),
    "a key of the defaults": ("kind: relic\ndefaults:\n  onc|\ncards:\n  - name: Y\n", {"once"}),
    "a card": ("kind: warband\nname: X\nmembers:\n  - {character: old|}\n", {"Old Gravel", "old-gravel"}),
    "a card in quotes": ('kind: warband\nname: X\nmembers:\n  - {relic: "Test|"}\n', {"Test Cloak", "test-cloak"}),
    "an icon": (CARD + "text: It has {skull-c|\n", {"skull-crossbones"}),
    "a term": (CARD + "text: Roll a Tes|\n", {"Test"}),
    "a charge": (CARD + "blazon: tow|\n", {"tower"}),
    "a size": (CARD + "size: tar|\n", {"tarot"}),
    "a tag of another card": (CARD + "tags: [und|]\n", {"undead"}),
}


@pytest.mark.parametrize(("text", "labels"), COMPLETIONS.values(), ids=COMPLETIONS)
def test_completions_of_a_card(editor: Editor, text: str, labels: set[str]) -> None:
    editor.write("cards/gravel.yaml", editor.path("cards/gravel.yaml").read_text("utf-8") + "tags: [undead]\n")
    assert set(editor.labels("cards/new.yaml", text)) == labels


def test_missing_keys_come_first(editor: Editor) -> None:
    found = editor.completions("cards/new.yaml", "kind: relic\n|\n")
    assert [each.label for each in found if each.is_first] == ["name"]


def test_a_name_that_needs_quotes_gets_them(editor: Editor) -> None:
    editor.write("cards/cloak.yaml", "kind: relic\nname: 'Night: Cloak'\ntext: Dark.\n")
    (first, *_) = editor.completions("cards/new.yaml", "kind: warband\nname: X\nmembers:\n  - {relic: Night|}\n")
    assert first.text == '"Night: Cloak"'


@pytest.mark.parametrize("text", ["kind: relic # mot|", "kind: relic\nname: X\nnonsense: {a: |}", "- [|", ": |", "|"])
def test_there_may_be_nothing_to_complete(editor: Editor, text: str) -> None:
    assert isinstance(editor.labels("cards/new.yaml", text), list)


def test_settings_are_completed(editor: Editor) -> None:
    assert "paper" in editor.labels("cardgen.yaml", "game: warniris\npap|\n")
    assert "letter" in editor.labels("cardgen.yaml", "paper: let|\n")


def test_pictures_are_completed(editor: Editor) -> None:
    path = editor.path("art/cloak.svg")
    path.parent.mkdir()
    path.write_text("<svg xmlns='http://www.w3.org/2000/svg'/>", encoding="utf-8")
    for art in ("art: cl|", "art: {file: cl|}"):
        assert editor.labels("cards/new.yaml", f"kind: relic\nname: X\n{art}\n") == ["art/cloak.svg"]


CLAUSES = {
    "the first word": ("text: Frie|\n", "Friends", 4),
    "the next word": ("text: The bearer has +1 |\n", "Body", 0),
    "a word that has begun": ("text: The bearer has +1 Bo|\n", "Body", 2),
    "a word in a folded text": (
        "text: >\n  Friends. It has +1 Body\n  until the end of the A|\n",
        "Activation",
        1,
    ),
    "a sentence that follows": ("text: 'The bearer has +1 Body. Unt|'\n", "Until", 3),
    "a word in quotes": ('text: "Roll 1D|"\n', "1D6: on a", 2),
}


@pytest.mark.parametrize(("text", "words", "replaced"), CLAUSES.values(), ids=CLAUSES)
def test_the_next_words_of_a_sentence(editor: Editor, text: str, words: str, replaced: int) -> None:
    found = [each for each in editor.completions("cards/new.yaml", CARD + text) if each.kind == "clause"]
    assert (words, replaced) in [(each.text, each.replaced) for each in found]


def test_words_that_would_break_a_line_are_not_offered(editor: Editor) -> None:
    assert "1D6: on a" not in editor.labels("cards/new.yaml", CARD + "text: Roll 1D|\n")


def test_no_clauses_are_offered_for_notes(editor: Editor) -> None:
    assert editor.labels("cards/new.yaml", CARD + "note: The bearer has +1 Bo|\n") == ["Body"]  # the term


def test_effects_are_offered_by_their_sentences(editor: Editor) -> None:
    found = editor.completions("cards/new.yaml", CARD + "effects:\n  - over|\n")
    (example,) = {each.text for each in found if "Whoever Attacks or Channels" in each.label}
    assert example == "{when: attacked, if: {range_over: 12}, attacker: {mind: -1, spirit: -1}}"
    saved = editor.session.text(editor.path("cards/cloak.yaml"))
    assert example in saved


GAMES = {
    "warniris key": ("warniris", "kind: minion\nname: X\nwea|", "weapons"),
    "warniris value": ("warniris", CARD + "effects:\n  - {for: tu|}\n", "turn"),
    "warniris icon": ("warniris", CARD + "text: It has {skull-c|\n", "skull-crossbones"),
    "warniris term": ("warniris", CARD + "text: Roll a Tes|\n", "Test"),
    "warniris id": ("warniris", "kind: warband\nname: X\nminions:\n  - {minion: sent|}\n", "sentinel"),
    "warniris clause": ("warniris", "kind: mission\nname: X\ntext: At the e|\n", "end of battle"),
    "warcry key": ("warcry", "kind: fighter\nname: X\nrune|", "runemarks"),
    "warcry value": ("warcry", "kind: ability\nname: X\nprice: tri|", "triple"),
    "warcry value of other cards": ("warcry", "kind: fighter\nname: X\nrunemarks: [her|]", "hero"),
    "warcry icon": ("warcry", "kind: ability\nname: X\ntext: The {bea|", "beast"),
    "warcry term": ("warcry", "kind: ability\nname: X\ntext: Each crit|", "critical hit"),
    "warcry id": ("warcry", "kind: warband\nname: X\nmembers:\n  - fighter: ash-d|\n", "ash-dancer"),
    "warcry clause": ("warcry", "kind: ability\nname: X\ntext: Pick a visible ene|\n", "enemy"),
    "skirmish key": ("skirmish", "kind: weapon\nname: X\nhan|", "hands"),
    "skirmish value": ("skirmish", "kind: weapon\nname: X\nrules: [par|]", "parry"),
    "skirmish icon": ("skirmish", "kind: weapon\nname: X\ntext: The {skull-c|", "skull-crossbones"),
    "skirmish term": ("skirmish", "kind: weapon\nname: X\ntext: He is Stu|", "Stunned"),
    "skirmish id": ("skirmish", "kind: warband\nname: X\nmembers:\n  - Marrow|\n", "Marrow the Weatherman"),
    "diskwars key": ("diskwars", "kind: disk\nname: X\nmov|", "movement"),
    "diskwars value": ("diskwars", "kind: disk\nname: X\nkeywords: [sco|]", "scout"),
    "diskwars icon": ("diskwars", "kind: scenario\nname: X\nability: The {skull-c|", "skull-crossbones"),
    "diskwars term": ("diskwars", "kind: scenario\nname: X\nability: All have swi|", "Swift"),
    "diskwars id": ("diskwars", "kind: army\nname: X\ncommands: [hold-t|]", "hold-the-dyke"),
    "own key": ("ember", "kind: brave\nname: X\nhe|", "heat"),
    "own value": ("ember", "kind: brave\nname: X\nrole: sm|", "smith"),
    "own icon": ("ember", "kind: brave\nname: X\nsaying: The {skull-c|", "skull-crossbones"),
    "own id": ("ember", "kind: pack\nname: X\nleader: as|", "ash"),
    "own kind": ("ember", "kind: br|", "brave"),
}


@pytest.fixture(scope="module")
def editors(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Editor]:
    pack = "  pack:\n    fields:\n      leader: {type: card, kind: brave}\n    example: {leader: A}\n"
    own = write_game(tmp_path_factory.mktemp("own"), HEADER + BRAVE + pack, one="kind: brave\nname: Ash\nheat: 2\n")
    roots = {game: tmp_path_factory.mktemp(game) for game in ("warniris", "warcry", "skirmish", "diskwars")}
    return {game: Editor(root, {"cardgen.yaml": f"game: {game}\n"}) for game, root in {**roots, "ember": own}.items()}


@each_case(("game", "text", "label"), GAMES.values(), ids=GAMES)
def test_every_game_is_completed(editors: dict[str, Editor], game: str, text: str, label: str) -> None:
    assert label in editors[game].labels("cards/new.yaml", text)


LAYOUT = "templates/warniris/minion.layout.yaml"
IN_LAYOUTS = {
    "a key": ("back|", {"background"}),
    "a key of a box": ("boxes:\n  - {at: [1, 2, 3, 4], min|}\n", {"min_size"}),
    "a field": ("boxes:\n  - {field: mott|}\n", {"motto"}),
    "a field of a part": ("boxes:\n  - {field: stats.mi|}\n", {"stats.mind"}),
    "a field of several": ("boxes:\n  - {each: [name, mott|]}\n", {"motto"}),
    "a condition": ("boxes:\n  - {when: mott|}\n", {"motto"}),
    "a style": ("boxes:\n  - {style: mott|}\n", {"motto"}),
    "a color": ("boxes:\n  - {fill: plaq|}\n", {"plaque"}),
    "an icon": ("boxes:\n  - {icons: skull-c|}\n", {"skull-crossbones"}),
    "a choice": ("boxes:\n  - {shape: ell|}\n", {"ellipse"}),
    "a drawing": ("frame: fr|\n", {"frame.svg"}),
}


@each_case(("text", "labels"), IN_LAYOUTS.values(), ids=IN_LAYOUTS)
def test_completions_of_a_layout(editor: Editor, text: str, labels: set[str]) -> None:
    frame = editor.path("templates/warniris/frame.svg")
    frame.parent.mkdir(parents=True, exist_ok=True)
    frame.write_text("<svg/>", encoding="utf-8")
    file, offset = editor.path(LAYOUT), text.index("|")
    plain, complete = text.replace("|", ""), completions_in(file)
    found = editor.session.ask(lambda loaded: list(complete(loaded, file, plain, offset)))
    assert {each.label for each in found} == labels


def test_keys_of_a_layout_have_help(editor: Editor) -> None:
    found = editor.hover(LAYOUT, "boxes:\n  - {at: [1, 2, 3, 4], f|it: cover}\n")
    assert found
    assert "cover fills the box" in found.markdown
