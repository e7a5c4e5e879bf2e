"""A history of releases of a game that is a file, with edits of its cards and of the game itself."""

from __future__ import annotations

import pytest

from cardgen.deck.release_file import read_release, release_text
from cardgen.releases.changes import Changes, compare
from cardgen.releases.report import value_texts
from cardgen.releases.run import load_release
from cardgen.releases.snapshot import take_snapshot
from cardgen.releases.write import write_release
from cardgen.text.fonts import Fonts
from tests.projects import STATS, Folder

GAME = """\
game: ember
name: Ember
prefix: EM
unit: cm

types:
  weapon:
    fields:
      range: {type: integer, min: 1, max: 60, label: R}
      damage: {type: integer, min: 1, max: 6, default: 1, label: D}
      note: {type: text, optional: true}
    line: "R{range} D{damage}"

kinds:
  brave:
    fields:
      heat: {type: integer, min: 1, max: 6, label: Heat, icon: fire}
      clan: {type: text, optional: true, aspect: rules}
      story: {type: text, optional: true}
      colour: {type: colour, optional: true}
      role: {type: choice, choices: {scout: It runs., smith: It forges.}, default: scout}
      keywords: {type: list, items: {type: text}}
      friend: {type: card, kind: brave, optional: true}
      weapons: {type: list, items: {type: weapon}}
    boxes: {wounds: heat}
    text: "{% if heat > 3 %}It may Flare.{% endif %}"
    unknown_keys: allow
  site:
    fields:
      cold: {type: integer, min: 0, max: 9}
    example: {cold: 2}

lists:
  band:
    members: {kind: brave, min: 1, max: 8}
    limits: {heat: {max: 20}}
    print: roster

glossary:
  Flare: {means: Throw a spark., forms: [Flares]}
  Wary: It looks twice.
  Dull: {means: It burns badly., bold: true}

rulings:
  wind: {question: Does wind blow?, settings: {"calm": "No.", storm: "Yes."}}

checks:
  hot: {code: EM301, kind: brave, when: heat > 5, say: hot, wrong: {heat: 6}, right: {heat: 1}}
  long: {code: EM302, kind: weapon, when: range > 50, say: long, wrong: {range: 51}, right: {range: 1}}

dice:
  coal: {faces: {lit: 2, out: 1}}

trials:
  warm:
    asks: {brave: {type: card, kind: brave}}
    steps:
      - pool: {dice: coal, count: brave.heat, successes: [lit], name: to warm, into: sparks}
      - end: "{{ sparks }}"
"""
CARDS = """\
game: ember
cards:
  - {kind: brave, name: Ash, heat: 4, clan: North, story: Once., keywords: [Wary, Tall], mood: 3}
  - {kind: brave, name: Soot, heat: 2, role: smith, friend: Ash, weapons: [{Tongs: R1 D2}], text: It waits.}
  - {kind: site, name: Hearth, cold: 1}
  - {kind: site, name: Well, cold: 3, text: No Flares here.}
  - {kind: band, name: Company, members: [{Soot: 2}]}
"""
BRAVES = {"ash": "rules", "soot": "rules"}
EVERYONE = dict.fromkeys(("ash", "soot", "hearth", "well", "company"), "rules")
# What is replaced in the game or the cards, and the classes of the cards that change with it.
EDITS: dict[str, tuple[str, str, dict[str, str]]] = {
    # Values of cards.
    "number": ("heat: 4", "heat: 5", {"ash": "rules"}),
    "text that is a rule": ("clan: North", "clan: South", {"ash": "rules"}),
    "text": ("story: Once.", "story: Twice.", {"ash": "words"}),
    "text of a card": ("It waits.", "It never waits.", {"soot": "rules"}),
    "text of a card of a kind without one": ("No Flares here.", "Flares go out here.", {"well": "rules"}),
    "unknown key": ("mood: 3", "mood: 4", {"ash": "rules"}),
    "unknown text": ("mood: 3", "mood: glum", {"ash": "rules words"}),
    "colour": ("clan: North", 'clan: North, colour: "#112233"', {"ash": "looks"}),
    "listed term": ("[Wary, Tall]", "[Dull, Tall]", {"ash": "rules"}),
    "listed word": ("[Wary, Tall]", "[Wary, Small]", {"ash": "words"}),
    "choice": ("role: smith", "role: scout", {"soot": "rules"}),
    "default": ("role: smith, ", "", {"soot": "rules"}),
    "reference": ("friend: Ash", "friend: Soot", {"soot": "rules"}),
    "part in one line": ("{Tongs: R1 D2}", "{name: Tongs, damage: 2, range: 1}", {}),
    "value of a part": ("R1 D2", "R1 D3", {"soot": "rules"}),
    "members": ("{Soot: 2}", "{Soot: 3}", {"company": "rules"}),
    "renamed, with a reference": ("name: Ash", "name: Ash, id: cinder", {"cinder": "renamed", "soot": "words"}),
    "new": ("cards:\n", "cards:\n  - {kind: site, name: Pit, cold: 2}\n", {"pit": "new"}),
    # The game itself.
    "meaning of a term": ("Throw a spark.", "Throw two sparks.", {"ash": "rules", "well": "rules"}),
    "meaning of a keyword": ("It looks twice.", "It looks thrice.", {"ash": "rules"}),
    "meaning of an unused term": ("It burns badly.", "It never burns.", {}),
    "unused bold": (", bold: true", "", {}),
    "bold": ("forms: [Flares]}", "forms: [Flares], bold: true}", {"ash": "looks", "well": "looks"}),
    "bound": ("min: 1, max: 6, label: Heat", "min: 1, max: 7, label: Heat", BRAVES),
    "bound of a part": ("max: 60", "max: 30", {"soot": "rules"}),
    "label": ("label: Heat", "label: Warmth", {"ash": "words", "soot": "words"}),
    "title of a kind": ("  brave:\n", "  brave:\n    title: Hero\n", {}),
    "icon": ("icon: fire", "icon: sun", {"ash": "looks", "soot": "looks"}),
    "meaning of a choice": ("It forges.", "It forges well.", {"soot": "rules"}),
    "another choice": ("It forges.}", "It forges., cook: It cooks.}", {}),
    "another field": ("      friend:", "      rank: {type: integer, optional: true}\n      friend:", {}),
    "another field with a default": ("      friend:", "      rank: {type: integer, default: 1}\n      friend:", BRAVES),
    "text of a kind": ("It may Flare.", "It can Flare.", {"ash": "words"}),
    "check": ("when: heat > 5", "when: heat > 4", BRAVES),
    "check of a part": ("range > 50", "range > 40", BRAVES),
    "words of a check": ("say: hot", "say: too hot", {}),
    "die": ("lit: 2", "lit: 3", BRAVES),
    "limit of a list": ("max: 20", "max: 30", {"company": "rules"}),
    "answer in force": ('"No."', '"Never."', dict.fromkeys(("ash", "soot", "hearth", "well", "company"), "rules")),
    "answer not in force": ('"Yes."', '"Often."', {}),
    "example and help": ("    example: {cold: 2}", "    example: {cold: 3}\n    help: A place.", {}),
    "comment, quotes, and order": ("{type: integer, min: 0, max: 9}", '{max: 9, min: 0, "type": integer}  # Cold.', {}),
}  # fmt: skip


# Texts of cards of all games, and the class of a change in each: rules, unless it replaces a text made from data.
OWN_TEXTS: dict[str, tuple[str, str, str]] = {
    "relic": ("warniris", "kind: relic\nname: Bell\ntext: Heal 1 Wound.\n", "rules"),
    "relic with effects": (
        "warniris",
        "kind: relic\nname: Bell\neffects: [{when: activation_start, bearer: {heal: 1}}]\ntext: Heal 1 Wound.\n",
        "words",
    ),
    "mission": ("warniris", "kind: mission\nname: Bell\nvp: 2\ntext: Heal 1 Wound.\n", "rules"),
    "ability of a character": (
        "warniris",
        f"kind: character\nname: Bell\nstats: {STATS}\nabilities: [{{name: Ring, text: Heal 1 Wound.}}]\n",
        "rules",
    ),
    "trait": ("warcry", "kind: trait\nname: Bell\nrunemark: ironjawz\ntext: Heal 1 Wound.\n", "rules"),
    "warcry ability": (
        "warcry",
        "kind: ability\nname: Bell\nprice: double\ntext: Heal 1 Wound.\n",
        "rules",
    ),
    "weapon": ("skirmish", "kind: weapon\nname: Bell\ntext: Heal 1 Wound.\n", "rules"),
    "special rule": (
        "skirmish",
        "{kind: warrior, name: Bell, points: 9, m: 4, ws: 3, bs: 3, s: 3, t: 3, w: 1, i: 3, a: 1, ld: 7, "
        "rules: [Patient], special: {Patient: Heal 1 Wound.}}\n",
        "rules",
    ),
    "command": (
        "diskwars",
        "{kind: command, name: Bell, strategy: bold, activation: 2, passive: Heal 1 Wound., battle: It rings.}\n",
        "rules",
    ),
    "disk": (
        "diskwars",
        "{kind: disk, name: Bell, disk: small, faction: order, cost: 4, attack: 2, counter: 1, toughness: 3, "
        "movement: 4, ability: Heal 1 Wound.}\n",
        "rules",
    ),
    "motto": ("warniris", f"kind: minion\nname: Bell\nstats: {STATS}\nmotto: Heal 1 Wound.\n", "words"),
}


@pytest.mark.parametrize("name", OWN_TEXTS)
def test_a_text_is_rules_unless_it_restates_data(folder: Folder, name: str) -> None:
    game, card, expected = OWN_TEXTS[name]
    folder.write("cardgen.yaml", f"game: {game}\n")
    folder.write("cards/a.yaml", card)
    before = take_snapshot("v1", folder.root)
    folder.write("cards/a.yaml", card.replace("Heal 1 Wound.", "Heal 2 Wounds."))
    changes = compare(before, take_snapshot("now", folder.root))
    assert classes(changes) == {"bell": expected}
    ((_, old, new),) = changes.cards[0].values
    assert (old, new) == ("Heal 1 Wound.", "Heal 2 Wounds.")


@pytest.fixture
def project(folder: Folder) -> Folder:
    """Return a project with a game of its own and its release."""
    folder.write("cardgen.yaml", "game: ember\n")
    folder.write("games/ember/game.yaml", GAME)
    folder.write("cards/all.yaml", CARDS)
    write_release("v1")
    return folder


def classes(changes: Changes) -> dict[str, str]:
    """Return the classes of changed cards by id; a roster also changes with the cards that it prints."""
    found = {each.card.id: each for each in changes.cards if each.look != ("linked",) or len(each.changes) > 1}
    return {name: " ".join(change.value for change in each.changes) for name, each in found.items()}


def test_every_edit_has_its_class(project: Folder) -> None:
    old = load_release(project.root, "v1")
    for name, (before, after, expected) in EDITS.items():
        assert before in GAME + CARDS
        project.write("games/ember/game.yaml", GAME.replace(before, after))
        project.write("cards/all.yaml", CARDS.replace(before, after))
        assert (name, classes(compare(old, take_snapshot("now", project.root)))) == (name, expected)


def test_fields_have_their_labels_and_flags_are_yes_or_no(project: Folder) -> None:
    more = "      mighty: {type: integer, label: Might, optional: true}\n      ready: {type: flag}\n      clan: {"
    project.write("games/ember/game.yaml", GAME.replace("      clan: {", more).replace("label: D}", "label: Damage}"))
    project.write("cards/all.yaml", CARDS.replace("heat: 2", "mighty: 1, heat: 2"))
    old = take_snapshot("v1", project.root)
    cards = CARDS.replace("heat: 2", "mighty: 2, ready: true, heat: 2")
    project.write("cards/all.yaml", cards.replace("R1 D2", "R1 D3"))
    changes = compare(old, take_snapshot("now", project.root))
    assert sorted(value_texts(next(each for each in changes.cards if each.card.id == "soot"))) == [
        ("Might", "1", "2"),
        ("ready", "no", "yes"),
        ("weapons Tongs Damage", "2", "3"),
    ]


def test_a_kind_is_called_by_its_title(project: Folder) -> None:
    project.write("games/ember/game.yaml", GAME.replace("  brave:\n", "  brave:\n    title: Glühling\n"))
    old = take_snapshot("v1", project.root)
    project.write("cards/all.yaml", CARDS.replace("heat: 2", "heat: 3"))
    change = next(each for each in compare(old, take_snapshot("now", project.root)).cards if each.card.id == "soot")
    assert change.kind() == "Glühling"
    assert change.kind(str.upper) == "BRAVE"  # a translation of the kind's own name
    assert change.kind(lambda name: name.replace("Glühling", "Ember")) == "Ember"


def test_a_ruling_turned_over(project: Folder) -> None:
    old = load_release(project.root, "v1")
    project.write("cardgen.yaml", "game: ember\nrulings: {wind: storm}\n")
    changes = compare(old, take_snapshot("now", project.root))
    assert set(classes(changes).values()) == {"rules"}
    assert [(each.id, each.new) for each in changes.rulings] == [("wind", "storm")]


def test_rulings_are_those_of_the_projects_own_game(project: Folder) -> None:
    project.write("games/frost/game.yaml", GAME.replace("game: ember", "game: frost").replace("EM", "FR"))
    project.write("cards/frost.yaml", CARDS.replace("game: ember", "game: frost"))
    project.write("cardgen.yaml", "game: ember\nrulings: {wind: storm}\n")
    assert take_snapshot("now", project.root).rulings == {"ember": {"wind": "storm"}}


def test_the_file_of_a_release_has_everything(project: Folder) -> None:
    release = take_snapshot("v1", project.root)
    path = project.write("releases/v2.yaml", release_text(release, "2026-05-31"))
    assert read_release(path, "v1") == release
    assert release.games["ember"]["glossary/Wary/means"] == "It looks twice."


def test_a_release_without_the_games_values_is_compared_by_cards(project: Folder) -> None:
    release = load_release(project.root, "v1")._replace(games={})
    assert compare(release, take_snapshot("now", project.root)).cards == ()


def changed_with(folder: Folder, old: str, new: str) -> dict[str, str]:
    """Return the classes of cards that change with the settings of the project."""
    folder.write("cardgen.yaml", old)
    before = take_snapshot("v1", folder.root)
    folder.write("cardgen.yaml", new)
    return classes(compare(before, take_snapshot("now", folder.root)))


def test_a_setting_concerns_the_cards_that_name_it(folder: Folder) -> None:
    common = "disk: small, faction: order, cost: 4, attack: 2, counter: 1, toughness: 3, movement: 4"
    ranged = "{name: Bow, ranged: [{Bow: 1 short 1}], %s}, {name: Sling, ranged: [{Sling: 1 long 1}], %s}"
    folder.write("cards/a.yaml", f"kind: disk\ncards: [{ranged % (common, common)}]\n")
    game = "game: diskwars\n"
    assert changed_with(folder, game, game + "diskwars: {short: 80}\n") == {"bow": "rules"}
    assert changed_with(folder, game + "diskwars: {short: 75}\n", game) == {}


def test_bounds_of_the_fields_of_a_project(folder: Folder) -> None:
    folder.minions("Ash", more=", heat: 2").write("cards/b.yaml", f"kind: minion\nname: Soot\nstats: {STATS}\n")
    fields = "kinds: {minion: {fields: {heat: {type: integer, max: %s, optional: true, label: %s}}}}\n"
    assert changed_with(folder, fields % (3, "Heat"), fields % (4, "Heat")) == {"ash": "rules"}
    assert changed_with(folder, fields % (3, "Heat"), fields % (3, "Warmth")) == {"ash": "words"}


def test_fonts_of_the_project_are_looks(folder: Folder) -> None:
    folder.plain().minions("Ash")
    before = take_snapshot("v1", folder.root)
    font = Fonts().font(Fonts().families[0])
    folder.write("fonts/own.ttf", font.path.read_bytes())
    folder.write("templates/warniris/theme.yaml", f"fonts: {{text: {Fonts().families[0]}}}\n")
    with_font = take_snapshot("v2", folder.root)
    assert classes(compare(before, with_font)) == {"ash": "looks"}
    folder.write("fonts/own.ttf", font.path.read_bytes() + b"\0")
    (card,) = compare(with_font, take_snapshot("now", folder.root)).cards
    assert card.look == ("fonts",)
