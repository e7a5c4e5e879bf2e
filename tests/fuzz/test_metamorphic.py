"""Metamorphic tests of all referees: what cannot matter changes no odds, no rolled result, and no score.

Disks, warriors, weapons, rules, and files are listed in another order, the sides of a duel are swapped, cards are
renamed, and things are added that cannot matter. Each test takes random cards of a game, and a hundredth of the cases
of `make fuzz`: 200 cards with its usual 20,000, or with `FUZZ_CASES=20000 pytest tests/fuzz/test_metamorphic.py`.
"""

from __future__ import annotations

import copy
import json
import os
import random
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cardgen.deck.card_lookup import CardLookup
from cardgen.matches import session
from cardgen.referee.odds import TooManyPathsError
from cardgen.referee.play import Event, LogEntry, SealedAnswer, entry_line, play, roll
from cardgen.referee.requests import (
    Decision,
    MarkedMeasurement,
    Question,
    Roll,
    SealedDecision,
    Selection,
    Test,
)
from cardgen.referee.trial import Competitor, GameTrials, RulesConfig
from tests.random_cases import MORE, dice_for, number_of_cases
from tests.rulesets.warcry.referee.test_duel_race import random_fighter
from tests.rulesets.warniris.random_effects import random_effect
from tests.rulesets.warniris.referee.test_race import random_card

# Random cards of each game: `make fuzz` takes 200 or more, and every run with new cards at least 8.
CARDS, MANY = number_of_cases(8 if MORE in os.environ else 4, 0.01), 100
LIBRARY = Path(__file__).parents[2] / "cards"
GAMES = ("warniris", "warcry", "skirmish", "diskwars")
# Lists of a card whose order has no meaning.
UNORDERED = ("keywords", "immune", "resistant", "ranged", "weapons", "rules", "runemarks", "tags", "magic", "traits")
# Parameters of trials whose order has no meaning.
SIDES = ("attackers", "defenders", "a", "b", "opponents")
EXTRAS = {"tags": ["river"], "art": "missing.png", "note": "Not for print.", "motto": "Onward!", "credit": "A. Hand",
          "qty": 3}  # fmt: skip
OTHER_RULINGS = 0.15
WARRIOR = {"ws": 5, "bs": 5, "s": 5, "t": 5, "w": 2, "i": 4, "a": 2}
pytestmark = [pytest.mark.fuzz, pytest.mark.timeout(0)]


class Case(NamedTuple):
    """A trial of a game: the values of its situation, and rulings and policy."""

    game: str
    trial: str
    values: dict[str, Any]
    config: RulesConfig

    @property
    def cards(self) -> list[dict[str, Any]]:
        """All fighting cards among the values, each once."""
        found = [each for value in self.values.values() for each in (value if isinstance(value, tuple) else (value,))]
        return list({each["name"]: each for each in found if isinstance(each, dict)}.values())


@cache
def referee(game: str) -> tuple[Any, GameTrials, RulesConfig]:
    rules, trials = session.load_referee(game)
    return rules, trials, session.resolve_config(rules, trials, (), ())


@cache
def sample_cards(game: str, *kinds: str) -> list[dict[str, Any]]:
    lookup = CardLookup(referee(game)[0], (LIBRARY / game,))
    return [lookup.card_data(entry) for entry in lookup.entries(kinds)]


def random_terms(dice: random.Random, game: str) -> RulesConfig:
    rules, trials, usual = referee(game)

    def settings(switches: Any, known: Any) -> dict[str, str]:
        return {
            **known,
            **{each.id: dice.choice([*each.settings]) for each in switches if dice.random() < OTHER_RULINGS},
        }

    return RulesConfig(settings(rules.rulings, usual.rulings), settings(trials.policies, usual.policy))


# Random cards, and random trials of them.


def random_disk(dice: random.Random, number: int) -> dict[str, Any]:
    def some(words: Sequence[str], chance: float) -> list[str]:
        return [word for word in words if dice.random() < chance]

    def strength() -> str:
        return dice.choice(["0", "1", "1", "2", "2", "3", "5", "d6"])

    sources = ("physical", "arcane", "impact", "magic", "ranged")
    shots = [
        {"name": f"Shot {letter}", "missile": dice.randint(1, 3), "range": dice.choice(["medium", "siege"]),
         "strength": strength(), "damage": dice.choice(["physical", "arcane", "true-damage"])}
        for letter in "XY"
    ]  # fmt: skip
    roles = [None, None, "attack", "counter", "both"]
    return {
        "kind": "disk", "name": f"Disk{number:02}", "disk": dice.choice(["small", "large"]), "attack": strength(),
        "counter": strength(), "toughness": dice.randint(1, 6), "movement": dice.randint(1, 5),
        "stamina": dice.choice([0, 0, 1, 2]), "cost": dice.randint(2, 6), "impact": dice.choice([None, 1, 2]),
        "magic": dice.choice([None, 1, 3]), "swift": dice.choice(roles), "slow": dice.choice(roles), "ranged": shots,
        "keywords": some(["flying", "frenzy", "relentless", "strider", "mobile"], 0.25), "immune": some(sources, 0.1),
        "resistant": some(sources, 0.2),
    }  # fmt: skip


def diskwars_case(dice: random.Random, cards: list[dict[str, Any]]) -> tuple[str, dict[str, Any]]:
    one, other, third = dice.sample(cards, 3)
    terrain = dice.choice(sample_cards("diskwars", "terrain"))
    trials: dict[str, Any] = {
        "melee": {
            "attackers": tuple(dice.choices([one, third], k=dice.randint(1, 3))),
            "defenders": tuple(dice.choices([other, third], k=dice.randint(1, 2))),
            "empowered": dice.choice([None, "attackers", "defenders", "both"]),
            "above": dice.choice([None, terrain]), "beneath": dice.choice([None, terrain]),
            "own_dice": dice.random() < 0.2,
        },
        "scrum": {"disks": (one, other, third)},
        "duel": {"a": one, "b": other},
        "attack": {
            "attacker": one, "target": other, "nearby": (third, one), "distance": dice.choice(["short", "medium"]),
            "weapon": dice.choice(one["ranged"])["name"], "cover": dice.random() < 0.3,
        },
        "impact": {"mover": one, "target": other},
        "magic": {"caster": one, "target": other},
        "unstable": {"user": one, "target": other, "damage": dice.randint(1, 3)},
    }  # fmt: skip
    weights = [6, 1, 2, 3, 1, 1, 1]
    (trial,) = dice.choices([*trials], weights)
    return trial, trials[trial]


def random_warrior(dice: random.Random, number: int) -> dict[str, Any]:
    """Return a warrior of the sample cards with other numbers, weapons, and rules."""
    every = sample_cards("skirmish", "warrior")
    base, arms = dice.choice(every), dice.choice(every)
    stats = {
        key: dice.randint(1, most) for key, most in {"ws": 5, "bs": 5, "s": 5, "t": 5, "w": 2, "i": 4, "a": 2}.items()
    }
    weapons = {"weapons": arms["weapons"]} if "weapons" in arms and not base.get("mount") else {}
    return {**base, **stats, **weapons, "name": f"Warrior{number:02}", "id": f"warrior{number:02}", "text": None}


def skirmish_case(dice: random.Random, cards: list[dict[str, Any]]) -> tuple[str, dict[str, Any]]:
    one, other, third, fourth = dice.sample(cards, 4)
    bows = [each["name"] for each in one.get("weapons", ()) if each.get("range")]
    blades = [each["name"] for each in one.get("weapons", ()) if not each.get("range")]
    trials: dict[str, Any] = {
        "attack": {"attacker": one, "target": other, "weapon": dice.choice(blades or [None]),
                   "charge": dice.random() < 0.5, "target_state": dice.choice(["fit", "knocked down", "stunned"])},
        "shoot": {"attacker": one, "target": other, "weapon": dice.choice(bows or [None]),
                  "distance": dice.randint(1, 12), "cover": dice.choice([None, "soft", "hard"])},
        "combat": {"a": tuple(dice.choices([one, third], k=dice.randint(1, 2))),
                   "b": tuple(dice.choices([other, fourth], k=dice.randint(1, 2))),
                   "charge": dice.choice(["a", "none"])},
        "alone": {"warrior": one, "opponents": tuple(dice.choices([other, third], k=2))},
        "duel": {"a": one, "b": other, "turns": 2},
    }  # fmt: skip
    (trial,) = dice.choices([*trials], [2, 2, 4, 1, 1])
    return trial, trials[trial]


def warcry_case(dice: random.Random, cards: list[dict[str, Any]]) -> tuple[str, dict[str, Any]]:
    one, other, _ = dice.sample(cards, 3)
    attack = {"attacker": one, "target": other, "weapon": "W0", "cover": dice.random() < 0.3}
    trials: dict[str, Any] = {
        "attack": attack,
        "activation": {**attack, "activations": dice.randint(1, 2)},
        "duel": {"a": one, "b": other, "rounds": 2},
        "fall": {"fighter": one},
        "disengage": {"fighter": one},
    }
    (trial,) = dice.choices([*trials], [3, 2, 3, 1, 1])
    return trial, trials[trial]


def random_miniature(dice: random.Random, number: int) -> dict[str, Any]:
    """Return a Character or Minion that often has an effect."""
    card = random_card(dice, number, 4)
    if dice.random() < 0.4 and card["kind"] == "character":
        card["abilities"] = [{"name": f"Gift{number}", "effects": [random_effect(dice)]}]
    return card


def warniris_case(dice: random.Random, cards: list[dict[str, Any]]) -> tuple[str, dict[str, Any]]:
    one, other, _ = dice.sample(cards, 3)
    trials: dict[str, Any] = {
        "attack": {"attacker": one, "target": other, "weapon": "W0"},
        "duel": {"a": one, "b": other, "turns": 2},
        "test": {"card": one, "attribute": dice.choice(["mind", "body", "spirit"]), "penetration": dice.randint(0, 2)},
    }
    (trial,) = dice.choices([*trials], [4, 4, 1])
    return trial, trials[trial]


Maker = Callable[[random.Random, int], dict[str, Any]]
MAKERS: dict[str, tuple[Maker, Callable[..., Any]]] = {
    "warniris": (random_miniature, warniris_case),
    "warcry": (random_fighter, warcry_case),
    "skirmish": (random_warrior, skirmish_case),
    "diskwars": (random_disk, diskwars_case),
}


def random_crowd(dice: random.Random, game: str, number: int) -> list[dict[str, Any]]:
    return [MAKERS[game][0](dice, each) for each in range(number)]


# Changes that cannot matter: each returns another case and the new names of its cards.


def with_cards(case: Case, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Case:
    """Change each card of a case once; its copies stay equal."""
    changed = {card["name"]: change(copy.deepcopy(card)) for card in case.cards}

    def of(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(of, value))
        return changed[value["name"]] if isinstance(value, dict) else value

    return case._replace(values={key: of(value) for key, value in case.values.items()})


def listed_otherwise(dice: random.Random, case: Case) -> Case:
    """List the disks or warriors of each side in another order."""

    def shuffled(key: str, value: Any) -> Any:
        return tuple(dice.sample(value, len(value))) if key in SIDES and isinstance(value, tuple) else value

    return case._replace(values={key: shuffled(key, value) for key, value in case.values.items()})


def shuffled_parts(dice: random.Random, case: Case) -> Case:
    """List the weapons, keywords, and rules of cards in another order."""
    takes_first = (case.game == "skirmish" and case.trial != "shoot") or case.config.policy.get("weapon") == "first"

    def change(card: dict[str, Any]) -> dict[str, Any]:
        # With its first weapon, a warrior fights, and by the policy a miniature: their order is a choice.
        keys = [key for key in UNORDERED if isinstance(card.get(key), list) and not (key == "weapons" and takes_first)]
        return {**card, **{key: dice.sample(card[key], len(card[key])) for key in keys}}

    return with_cards(case, change)


def swapped(dice: random.Random, case: Case) -> Case:
    """Swap the sides of a duel, or of a combat."""
    if case.trial not in ("duel", "combat"):
        return case
    charge = {"charge": {"a": "b", "b": "a"}.get(case.values["charge"], "none")} if "charge" in case.values else {}
    first = {"first": "b"} if case.trial == "duel" else {}
    return case._replace(values={**case.values, "a": case.values["b"], "b": case.values["a"], **charge, **first})


def renamed(dice: random.Random, case: Case) -> Case:
    """Give all cards other names, in another alphabetical order."""
    numbers = dice.sample(range(100, 1000), len(case.cards))
    names = {each["name"]: f"Renamed{number}" for each, number in zip(case.cards, numbers, strict=True)}
    return with_cards(case, lambda card: {**card, "name": names[card["name"]], "id": names[card["name"]].lower()})


def added(dice: random.Random, case: Case) -> Case:
    """Add a picture, tags, notes, and a weapon or keyword that the trial does not use."""

    def change(card: dict[str, Any]) -> dict[str, Any]:
        more: dict[str, Any] = {**EXTRAS}
        if case.game == "diskwars" and card["kind"] == "disk":
            shot = {"name": "Idle Bow", "missile": 6, "range": "siege", "strength": "d6"}
            more |= {"keywords": [*card["keywords"], "scout", "flank"], "ranged": [*card["ranged"], shot]}
        if case.game == "skirmish" and case.trial in ("attack", "combat", "duel", "alone"):
            bow = {"kind": "weapon", "name": "Idle Bow", "range": 30, "strength": 9}
            more |= {"weapons": [*card.get("weapons", ()), bow]}
        if case.game == "warcry" and len(card["weapons"]) == 1:
            more |= {"weapons": [*card["weapons"], {"Idle": "sword R29-30 A1 S9 D9/9"}]}
        if case.game == "warniris" and case.trial != "duel":
            more |= {"weapons": [*card["weapons"], {"Idle": "RW R15 P5 D5"}]}
        return {**card, **more}

    return with_cards(case, change)


CHANGES = (listed_otherwise, shuffled_parts, swapped, renamed, added)

# Results, in which each card has a placeholder for its name.


def anonymous(text: str, case: Case) -> str:
    for number, name in enumerate(each["name"] for each in case.cards):
        text = text.replace(name, f"<{number}>")
    return text


def results(case: Case, order: Case) -> tuple[Any, Any]:
    """Return the odds and rolled results; `order` is the case whose order of cards the placeholders follow."""
    trial = referee(case.game)[1].trials[case.trial]
    try:
        prepared = trial.set_up(trial.situation(**case.values), case.config)
        assert prepared.odds is not None
        tables = prepared.odds()
    except ValueError as error:
        return anonymous(str(error), order), None

    def words(text: str) -> str:
        return ", ".join(sorted(re.split("[,;:] ", anonymous(text, order))))

    rows = sorted(
        (words(table.title), words(label), value)
        for table in tables
        for label, value in (*table.parts, *table.chances, *table.means)
    )
    lines = sorted(words(line) for line in prepared.outcome_lines(roll(prepared.start(), "seed")))
    return rows, lines


def matched(case: Case, other: Case, change: Any) -> Case:
    """Return a case that holds the cards of `other` in the order of those of `case`, for placeholders."""
    if change is not renamed:
        return case
    return case._replace(values={"all": tuple(other.cards)})


def rolls_off(case: Case) -> bool:
    """Return whether one die of a rolled case is for both sides, and a low face for the first of them.

    It decides who strikes first at equal Initiative, or who wins a tie. With the same face, swapped sides get another
    result, which is as likely.
    """
    events, trial = list[LogEntry](), referee(case.game)[1].trials[case.trial]
    roll(trial.set_up(trial.situation(**case.values), case.config).start(), "seed", events.append)
    return any(isinstance(each, Event) and each.question.key == "roll-off" for each in events)


def random_cases(game: str) -> Iterator[tuple[random.Random, Case]]:
    dice = dice_for(f"metamorphic {game}")
    for _ in range(0, CARDS, 4):
        cards = random_crowd(dice, game, 4)
        for _ in range(4):
            trial, values = MAKERS[game][1](dice, cards)
            config = random_terms(dice, game)
            if game == "diskwars":
                config = replace(config, rulings={**config.rulings, "battle-die": dice.choice(["hit", "scatter"])})
            yield dice, Case(game, trial, values, config)


@pytest.mark.share(2)
@pytest.mark.parametrize("game", GAMES)
def test_what_cannot_matter_changes_no_odds_and_no_roll(game: str) -> None:
    compared = 0
    for dice, case in random_cases(game):
        try:
            odds, lines = results(case, case)
        except TooManyPathsError:
            continue
        for change in CHANGES:
            other = change(dice, case)
            its_odds, its_lines = results(other, matched(case, other, change))
            assert its_odds == odds, (change.__name__, case)
            if change is not swapped or lines is None or not rolls_off(case):
                assert its_lines == lines, (change.__name__, case)
            compared += lines is not None
    assert compared > CARDS


@pytest.mark.share(2)
@pytest.mark.parametrize(("game", "trial", "side"), [("diskwars", "melee", "defenders"), ("skirmish", "combat", "b")])
def test_a_copy_counts_as_much_as_an_equal_card(game: str, trial: str, side: str) -> None:
    """Of a side with copies of a card, one gets a name of its own."""
    compared = 0
    for _, case in random_cases(game):
        if case.trial != trial:
            continue
        *others, last = case.values[side][:1] * 2
        twin = {**last, "name": f"{last['name']}9", "id": f"{last['id']}9" if "id" in last else None}
        one, other = (
            case._replace(values={**case.values, side: (*others, each, *case.values[side][1:])})
            for each in (last, twin)
        )
        try:
            assert sums(one, case) == sums(other, case), case
        except TooManyPathsError:
            continue
        compared += 1
    assert compared


def sums(case: Case, order: Case) -> dict[tuple[str, str], Fraction] | str:
    """Return the odds of a case, added up over disks or warriors whose names differ only by a number."""
    rows, lines = results(case, order)
    if lines is None:
        return str(rows)
    totals: dict[tuple[str, str], Fraction] = {}
    for title, label, value in rows:
        key = re.sub(r"(<[0-9]+>) ?[0-9]+", r"\1", title), re.sub(r"(<[0-9]+>) ?[0-9]+", r"\1", label)
        totals[key] = totals.get(key, Fraction()) + value
    return totals


@pytest.mark.share(3)
@pytest.mark.parametrize("game", GAMES)
def test_scores_of_balance_do_not_depend_on_order_names_or_other_cards(game: str) -> None:
    dice = dice_for(f"balance {game}")
    _, trials, _ = referee(game)
    for count in range(0, CARDS, 8):
        cards, config = random_crowd(dice, game, 3), random_terms(dice, game)
        if game == "skirmish" and (count or CARDS < MANY):
            # Duels of several warriors take many turns.
            config = replace(config, policy={**config.policy, "forces": "one"})
        cards.append({**copy.deepcopy(cards[0]), "name": "Copy", "id": "copy"})
        usual = scores(trials, cards, config)
        order = dice.sample(range(len(cards)), len(cards))
        other = scores(trials, [cards[place] for place in order], config)
        assert usual == {(order[one], order[two]): score for (one, two), score in other.items()}, (order, cards, config)
        new = [{**card, **EXTRAS, "name": f"Renamed{9 - number}"} for number, card in enumerate(cards)]
        assert scores(trials, new, config) == usual
        more = scores(trials, [*cards, MAKERS[game][0](dice, 7)], config)
        assert {pair: score for pair, score in more.items() if len(cards) not in pair} == usual


def scores(trials: GameTrials, cards: list[dict[str, Any]], config: RulesConfig) -> dict[tuple[int, int], Any]:
    """Return the chances to win and to lose of every two cards, both ways round; and check the fast scores."""
    crowd = [*map(Competitor, cards)]
    found: dict[tuple[int, int], Any] = {}
    for pairing in trials.round_robin(crowd, config):
        found[pairing.one, pairing.other] = pairing.wins, pairing.loses
        found[pairing.other, pairing.one] = pairing.loses, pairing.wins
    if trials.crowd:
        result = trials.crowd(crowd, config)
        rows = [*result.rows]
        for (one, other), (wins, loses) in found.items():
            first, second = result.classes[one], result.classes[other]
            score = rows[first][second - first] if first <= second else 1 - rows[second][first - second]
            assert abs(Fraction(score) - (1 + wins - loses) / 2) < Fraction(1, 10**12)
    return found


# Questions of a battle that are answered, so that battles without end stop.
STEPS = 300


class EnoughError(Exception):
    """A battle has gone on for long enough."""


class Chance:
    """Players by chance, who choose by the places of options; the names of options make no difference."""

    def __init__(self, seed: float) -> None:
        self.dice, self.left = random.Random(seed), STEPS

    def __call__(self, path: str, question: Question) -> Any:
        self.left -= 1
        if not self.left:
            raise EnoughError
        match question:
            case Test() | Roll():
                return self.dice.randint(1, question.sides)
            case SealedDecision():
                return SealedAnswer("0" * 18, self.dice.choice(question.options))
            case Decision():
                return self.dice.choice(question.options)
            case Selection():
                return tuple(each for each in question.options[: question.most or None] if self.dice.random() < 0.3)
        number = self.dice.randint(question.low, min(question.high, question.low + 9))
        return (number,) if isinstance(question, MarkedMeasurement) else number


def battle_values(game: str) -> dict[str, Any]:
    """Return the first two warbands or armies of the sample cards, and the first scenario or battleplan."""
    kinds = {"diskwars": ("army",)}.get(game, ("warband",))
    extra = {"warcry": "battleplan", "skirmish": "scenario"}.get(game)
    one, other = sample_cards(game, *kinds)[:2]
    deployed = {"deployed": True} if game == "diskwars" else {}
    return {"a": one, "b": other, **deployed, **({extra: sample_cards(game, extra)[0]} if extra else {})}


def played(game: str, values: dict[str, Any], config: RulesConfig, seed: float) -> list[str]:
    """Return the log of a battle that is played by chance."""
    trial, lines = referee(game)[1].trials["battle"], list[str]()
    with suppress(EnoughError):
        play(
            trial.set_up(trial.situation(**values), config).start(), Chance(seed), lambda e: lines.append(entry_line(e))
        )
    return lines


def names_in(value: Any) -> Iterator[str]:
    """Yield the names of all cards in a list of cards, however deep."""
    if isinstance(value, dict):
        if "kind" in value:
            yield value["name"]
        value = tuple(value.values())
    for each in value if isinstance(value, tuple | list) else ():
        yield from names_in(each)


def with_names(text: str, names: dict[str, int]) -> str:
    """Return a text with other names."""
    for name, number in names.items():
        text = text.replace(name, f"Renamed{number}")
    return text


@pytest.mark.parametrize("game", GAMES)
def test_names_make_no_difference_in_battles(game: str) -> None:
    """The same players, who answer by the places of options, with other names of all cards of both sides."""
    dice, values = dice_for(f"battles {game}"), battle_values(game)
    names = sorted({*names_in(values["a"]), *names_in(values["b"])}, key=len, reverse=True)
    for _ in range(0, CARDS, 2):
        config, seed = random_terms(dice, game), dice.random()
        new = dict(zip(names, dice.sample(range(100, 1000), len(names)), strict=True))
        other = json.loads(with_names(json.dumps(values, ensure_ascii=False), new))
        lines = played(game, values, config, seed)
        assert len(lines) > 20
        assert played(game, other, config, seed) == [with_names(line, new) for line in lines]


def test_the_order_of_files_and_cards_makes_no_difference(tmp_path: Path) -> None:
    """The same cards in one file, in another order, in several files, and beside cards that do not matter."""
    fields = "disk: small, faction: order, cost: 4, counter: 1, toughness: 3, movement: 4"
    cards = [f"  - {{name: Disk {number}, attack: {number}, {fields}}}" for number in range(1, 5)]
    head = "game: diskwars\nkind: disk\ncards:\n"
    ways = {
        "usual": {"a.yaml": head + "\n".join(cards)},
        "reversed": {"a.yaml": head + "\n".join(reversed(cards))},
        "files": {f"{9 - number}.yaml": head + card for number, card in enumerate(cards)},
        "more": {"a.yaml": head + "\n".join(cards), "z.yaml": head + f"  - {{name: Other, attack: 9, {fields}}}"},
    }
    found = []
    for name, files in ways.items():
        folder = tmp_path / name
        folder.mkdir()
        for file, text in files.items():
            (folder / file).write_text(f"{text}\n")
        values = {"attackers": ("Disk 4", "Disk 1"), "defenders": ("Disk 2", "Disk 3")}
        request = session.TrialRequest("melee", values, paths=(folder,), game="diskwars")
        found.append(session.exact_odds(session.prepare_trial(request)))
    assert all(each == found[0] for each in found)
