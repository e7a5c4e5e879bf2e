"""Twelve releases of the kit of each game, made by known edits of every class."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from cardgen.deck.release_file import LINKED, Release, read_release, release_text
from cardgen.releases.changes import Changes, compare
from cardgen.releases.snapshot import take_snapshot
from cardgen.rulesets.ruleset import Ruleset, ruleset
from tests.projects import MINION, Folder

CARDS = Path(__file__).parents[2] / "cards"
CHARGE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0H{0}V{0}Z"/></svg>'
Path_ = tuple[str | int, ...]


class Kit:
    """The cards of a game as data, and the folder that they are written to."""

    def __init__(self, folder: Folder, game: str) -> None:
        self.folder, self.game = folder, game
        shutil.copytree(CARDS / game, folder.root / "cards")
        documents = [yaml.safe_load(path.read_text("utf-8")) for path in sorted((CARDS / game).glob("*.yaml"))]
        self.cards: list[dict[str, Any]] = [card for document in documents for card in cards_of(document)]
        folder.write("cardgen.yaml", f"game: {game}\n")

    def card(self, name: str) -> dict[str, Any]:
        return next(card for card in self.cards if card["name"] == name)

    def put(self, name: str, path: Path_, value: object) -> None:
        """Set a value of a card that has another one."""
        place: Any = self.card(name)
        for step in path[:-1]:
            place = place[step]
        assert not isinstance(place, dict) or place.get(path[-1]) != value
        place[path[-1]] = value

    def write(self) -> None:
        """Write the cards to other files in another order, with other keys first, quotes, and comments."""
        shutil.rmtree(self.folder.root / "cards")
        for number in range(3):
            cards = [dict(reversed(card.items())) for card in self.cards[number::3]]
            lines = "".join(f"  - {json.dumps(card)}  # {number}\n" for card in reversed(cards))
            self.folder.write(f"cards/{number}/all.yaml", f"# Moved.\n\"game\": '{self.game}'\ncards:\n{lines}")

    def release(self, name: str) -> Release:
        return take_snapshot(name, self.folder.root)


def cards_of(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the cards of a file, each with the defaults and the kind of the file."""
    header = {**document.get("defaults", {}), **({"kind": document["kind"]} if "kind" in document else {})}
    plain = {key: value for key, value in document.items() if key not in ("game", "format", "cards", "defaults")}
    return [merged(header, card) for card in document.get("cards", [plain])]


def merged(defaults: dict[str, Any], card: dict[str, Any]) -> dict[str, Any]:
    """Return a card with the defaults that it does not replace, also within maps."""
    below = {
        key: merged(value, card[key]) for key, value in defaults.items() if isinstance(value, dict) and key in card
    }
    return {**defaults, **card, **below}


class Plan(NamedTuple):
    """The cards of a kit that the history edits, with the values that they get."""

    number: tuple[str, Path_, object]
    rule: tuple[str, Path_, object]
    words: tuple[str, Path_, object]
    gone: str
    renamed: str


PLANS = {
    "warniris": Plan(
        ("Halvane Doru", ("stats", "M"), 4),
        ("Killing Rampage", ("earn", "in"), "battle"),
        ("Maerin Vex", ("motto",), "Another line."),
        "Tactical Dominance",
        "Iron Halo",
    ),
    "warcry": Plan(
        ("Captain Odile Marsh", ("stats", "T"), 4),
        ("The Last Lanterns", ("choice",), "Another Choice"),
        ("Brother Tam Ferrier", ("motto",), "Another line."),
        "Aspire to Glory",
        "Beastman Ambush",
    ),
    "skirmish": Plan(
        ("Marrow the Weatherman", ("m",), 5),
        ("Ottilie Vane, Ferrymistress", ("race",), "Hillfolk"),
        ("Ottilie Vane, Ferrymistress", ("motto",), "Another line."),
        "Javelin",
        "Pistol",
    ),
    "diskwars": Plan(
        ("Reed Pikes", ("toughness",), 4),
        ("Reed Pikes", ("race",), "Hillfolk"),
        ("Old Marrow", ("motto",), "Another line."),
        "Cinder Hounds",
        "Tin Rats",
    ),
}
Expected = Mapping[str, str]


@pytest.fixture
def kit(folder: Folder, request: pytest.FixtureRequest) -> Kit:
    os.chdir(folder.root)
    return Kit(folder, request.param)


def classes(changes: Changes) -> Expected:
    """Return the classes of changed cards by id.

    Lists that print the cards that they name are left out if only those changed.
    """
    names = {each.card.id for each in changes.cards}
    found = {}
    for each in changes.cards:
        if each.changes == ("looks",) and each.look == (LINKED,):
            assert names & {*map(str, each.card.values.values())}
        else:
            found[each.card.id] = " ".join(each.changes)
    return found


def test_a_charge_is_part_of_the_look(folder: Folder) -> None:
    """So is the drawing of one's own, but not that of another card's charge."""
    folder.write("cards/a.yaml", MINION)
    before = [take_snapshot("v1", folder.root)]
    for path, text in {
        "cards/a.yaml": f"{MINION}blazon: toad\n",
        "charges/toad.svg": CHARGE.format(9),
        "charges/newt.svg": CHARGE.format(9),
    }.items():
        folder.write(path, text)
        before.append(take_snapshot("v1", folder.root))
    folder.write("charges/toad.svg", CHARGE.format(8))
    before.append(take_snapshot("v1", folder.root))
    looks = [[(each.changes, each.look) for each in compare(*pair).cards] for pair in pairwise(before)]
    assert looks == [[(("looks",), ("arms",))], [(("looks",), ("arms",))], [], [(("looks",), ("arms",))]]


def turn_over(kit: Kit) -> None:
    rules = ruleset(kit.game)
    assert isinstance(rules, Ruleset)
    name, setting = rules.rulings[0].id, [*rules.rulings[0].settings][1]
    kit.folder.write("cardgen.yaml", f"game: {kit.game}\nrulings: {{{name}: {setting}}}\n")


def theme(kit: Kit) -> None:
    kit.folder.write(f"templates/{kit.game}/theme.yaml", 'colours: {ink: "#123456"}\n')


def id_of(kit: Kit, name: str) -> str:
    return next(card.id for card in kit.release("now").cards if card.name == name)


def ruled(release: Release) -> Expected:
    """Return the cards that rules concern."""
    cards = [card for card in release.cards if card.values]
    assert 10 < len(cards) < len(release.cards)
    return {card.id: "rules" for card in cards}


@pytest.mark.share(2)
@pytest.mark.parametrize("kit", PLANS, indirect=True)
def test_every_edit_of_twelve_releases_has_its_class(kit: Kit) -> None:
    plan, releases = PLANS[kit.game], [kit.release("v1")]
    ids = {name: id_of(kit, name) for name in (plan.number[0], plan.rule[0], plan.words[0], plan.gone, plan.renamed)}
    other = dict(kit.card(plan.number[0]), name="Newcomer", id="newcomer")
    number, rule, words = (ids[name] for name in (plan.number[0], plan.rule[0], plan.words[0]))
    everything = releases[0].cards

    def remove() -> None:
        kit.cards.remove(kit.card(plan.gone))

    def rename() -> None:
        kit.card(plan.renamed)["id"] = "another-id"

    history: list[tuple[Callable[[], object], Expected]] = [
        (lambda: None, {}),
        (lambda: kit.put(*plan.number), {number: "rules"}),
        (lambda: kit.put(*plan.rule), {rule: "rules"}),
        (lambda: kit.put(*plan.words), {words: "words"}),
        (lambda: theme(kit), {card.id: "looks" for card in everything}),
        (lambda: turn_over(kit), ruled(releases[0])),
        (lambda: kit.cards.append(other), {"newcomer": "new"}),
        (remove, {ids[plan.gone]: "gone"}),
        (rename, {"another-id": "renamed"}),
        (lambda: kit.put(plan.number[0], ("qty",), 7), {number: "copies"}),
        (lambda: kit.put("Newcomer", ("credit",), "Somebody"), {"newcomer": "words"}),
    ]
    for version, (edit, expected) in enumerate(history, 2):
        edit()
        kit.write()
        releases.append(kit.release(f"v{version}"))
        found = classes(compare(releases[-2], releases[-1]))
        lists = {card.id for card in releases[-1].cards if "another-id" in card.values.values()}
        assert (version, {**dict.fromkeys(lists if edit is rename else (), "words"), **expected}) == (version, found)
    path = kit.folder.write("releases/v1.yaml", release_text(releases[0], "2026-05-31"))
    assert read_release(path, "v1") == releases[0]
    whole = classes(compare(releases[0], releases[-1]))
    assert {whole["newcomer"], whole[ids[plan.gone]]} == {"new", "gone"}
    assert whole[number].startswith("rules") and whole[number].endswith("looks copies")
