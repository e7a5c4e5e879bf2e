"""The booklet has every rule of the seed, and what sheets say of rulings stands alone."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from cardgen.deck.deck import require_game
from cardgen.reference_sheets.make_sheets import SheetRequest, sheet_documents
from cardgen.runtime.workspace import Workspace
from tests.rulesets.warniris.test_reference_sheets import text

ROOT = Path(__file__).parents[3]
RULES = require_game("skirmish")

# Facts of the rules by the number of their item, each with the pattern of its sentence in the booklet.
FACTS = {
    "2.1 size": r"100 to 250 points",
    "2.2 models": r"no more than fifteen models",
    "2.3 magic": r"few magic items or none",
    "2.4 leader": r"one character leads, best a hero",
    "2.5 named": r"named before the game",
    "2.6 quotas": r"quotas for core, special, and rare troops do not bind",
    "2.7 units": r"nobody forms ranks",
    "2.8 reason": r"a reason to fight",
    "2.9 first turn": r"rolls a d6, and the higher roll begins",
    "3.1 D3": r"d3 is a d6, halved and rounded up",
    "3.2 Leadership": r"2d6 at or below it passes",
    "3.3 Initiative": r"initiative: a d6 at or below it passes",
    "3.4 six": r"a 6 always fails",
    "4.1 phases": r"recovery\..*movement\..*magic\..*shooting\..*close combat\.",
    "4.2 both": r"both sides fight",
    "4.3 start": r"takes the rout test, then those of panic, terror, and stupidity",
    "4.4 rally": r"rallying, in the recovery phase: a leadership test",
    "4.5 after": r"neither moves nor shoots this turn, and can cast",
    "4.6 failed": r"if it fails, it flees on",
    "4.7 nearest": r"unless the nearest model is an enemy",
    "4.8 stunned": r"stunned ones only become knocked down",
    "4.9 down": r"knocked down models may stand up",
    "5.1 order": r"charges, compulsory moves, then all other moves",
    "5.2 move": r"up to m in any direction",
    "5.2 less": r"may move less or stay, unless it charges or must move",
    "5.3 ladders": r"ladders, stairs, and low obstacles",
    "5.4 run": r"runs up to twice m",
    "5.5 when": r"no enemy was within 8.*flee, have fallen, or hide do not count",
    "5.6 near": r"may come nearer than 8",
    "5.7 runner": r"does not shoot, does not hide, and reaches no combat",
    "5.8 contact": r"no move but a charge ends in contact",
    "5.9 declaring": r"name the target, and measure nothing",
    "5.10 unseen": r"unseen enemy within 4.*who is not hidden, pass an initiative test",
    "5.11 move": r"twice m by the shortest way",
    "5.12 reactions": r"hold; stand and shoot.*or flee",
    "5.13 wall": r"low wall between them fight across it",
    "5.14 interception": r"within 2.? of the way who is not in combat can step into it",
    "5.15 still": r"it still counts as charging",
    "5.16 failed": r"moves m towards its target.*can be intercepted even so",
    "5.17 several": r"reaches several enemies may charge them all",
    "5.18 leaving": r"nobody leaves a combat by choice",
    "6.1 hiding": r"behind a low wall, a column",
    "6.1 counter": r"place a counter",
    "6.2 woods": r"edge of a wood",
    "6.3 not": r"ran, fled, charged, was stunned, or fell",
    "6.4 effect": r"nobody sees, shoots, or charges a hidden model",
    "6.5 staying": r"hidden over many turns, and may move",
    "6.6 given away": r"shoots, casts, or moves into view",
    "6.7 spotted": r"as many inches as its initiative",
    "7.1 climbing": r"touching it when the phase begins",
    "7.1 animals": r"neither animals nor riders climb",
    "7.2 height": r"what is higher cannot be climbed",
    "7.3 test": r"on its way down falls from where it began",
    "7.4 jump": r"up to 6.*initiative test for each complete 2",
    "7.5 free": r"it costs no movement",
    "7.5 failed": r"falls from where it jumped",
    "7.6 dive": r"balcony or overhang.*within 2.? of where you land",
    "7.7 dive": r"\+1 strength and \+1 to hit in the next close combat phase",
    "7.8 failed": r"a fall, and no charge",
    "7.9 gaps": r"up to 3.? wide",
    "7.10 little": r"too little movement left, the model falls",
    "7.11 run": r"including during a run or a charge",
    "7.11 shoot": r"did not run may still shoot",
    "7.12 fall": r"d3 hits with a strength equal to the inches",
    "7.13 after": r"neither moves on nor hides this turn",
    "7.14 edge": r"within 1.? of a drop passes an initiative test",
    "8.1 units": r"all enemies within 2.? of one another",
    "8.2 casts": r"even after a run, a failed charge, a rally, or standing up",
    "9.1 once": r"one model after the other shoots once",
    "9.2 not": r"nobody shoots in combat, while fleeing, after a run or a failed charge, in the turn of a rally",
    "9.3 arc": r"on foot, a model sees all around; mounted, 90 degrees",
    "9.3 turning": r"turning on the spot is free",
    "9.4 sight": r"model.s eye",
    "9.5 nearest": r"shoots at the nearest enemy, or at a farther one that is easier to hit",
    "9.6 no threat": r"can be shot at, and can be passed over",
    "9.7 fights": r"never at a model in close combat",
    "9.8 above": r"more than 2.? up.*same building come first",
    "10.1 who": r"even if only corners touch",
    "10.2 whom": r"divides its attacks, and says so before it rolls",
    "10.5 left out": r"no combat resolution, no pursuit, and no overrun",
    "11.1 critical": r"two wounds without an armor save",
    "11.2 none": r"needs a 6 to wound.*cannot be critical",
    "11.3 once": r"one for each warrior in a close combat phase",
    "11.4 killing blow": r"killing blow comes before a critical hit",
    "11.5 wounds": r"fights on while it has one",
    "11.6 roll": r"the player who caused it rolls a d6",
    "11.7 several": r"the highest counts",
    "11.8 down": r"1 or 2 knocked down",
    "11.9 stunned": r"3 or 4 stunned",
    "11.10 out": r"5 or 6 out of action",
    "12.1 crawl": r"it crawls 2.? in the movement phase, and does nothing else",
    "12.2 contact": r"crawls away only while that enemy fights somebody else",
    "12.3 stunned": r"on its face: it does nothing",
    "12.4 over": r"it is turned over, and is knocked down",
    "12.5 standing up": r"moves half m, may shoot and cast, and neither charges nor runs",
    "12.5 combat": r"may not move off, and strikes last",
    "12.6 after": r"even with no wounds left; each further wound",
    "12.7 down": r"attacks on the knocked down hit without a roll",
    "12.8 stunned": r"the stunned are put out of action, without dice",
    "12.9 not both": r"does not fell an enemy and finish it in the same phase",
    "12.10 standing": r"faces a standing enemy cannot attack a fallen one",
    "13.1 causes": r"cause no panic",
    "13.2 breaking": r"panics in combat turns and runs, 2d6.*3d6.*m over 6",
    "13.3 parting": r"each opponent first hits it once, without a roll",
    "13.4 alone": r"two or more enemies by itself, with no friend within 6",
    "13.5 failed": r"survivor runs 2d6.? straight away",
    "13.7 later": r"as each of its turns begins, it tests again",
    "13.8 charged": r"charged while it flees is touched, and runs 2d6",
    "13.9 edge": r"over the edge, it is removed, and counts as out of action",
    "13.10 leader": r"within 6.? of its leader may use the leader.s leadership",
    "13.11 rout": r"a quarter or more of your force is out of action",
    "13.11 immune": r"immune to psychology, such as undead, take this test",
    "13.12 roll": r"2d6 at or below your leader.s leadership",
    "13.13 unfit": r"leader is out of action or stunned, use the best leadership",
    "13.14 failed": r"the game ends at once, and the side has lost",
    "13.15 threshold": r"13 to 15 4",
    "14.1 single": r"shooting at a single model has no penalty",
    "14.2 casters": r"five of them are a level 1 wizard",
    "14.3 cavalry": r"first wound of a cavalry model kills the mount",
    "14.4 poison": r"poison: a 6 to hit wounds without a roll",
    "14.5 swarms": r"swarms make no injury rolls",
    "15.1 fair": r"play twice, and swap sides",
    "15.3 infantry": r"leave out cavalry, large monsters",
    "15.4 machines": r"war machines, chariots",
    "15.5 troops": r"mostly core troops",
    "15.6 lords": r"heroes rather than lords",
    "15.7 flight": r"everything that flies",
    "15.8 magic": r"at most one wizard, of level 1",
    "15.9 banners": r"banners, musicians",
    "16.6 save": r"without armor, a shield or a mount saves on 6\+\. a 1 always fails",
    "16.13 range": r"measure only then: beyond the range of the weapon, the shot misses",
    "16.14 soft": r"soft cover \(hedges, bushes, fences, woods, high grass\)",
    "16.14 hard": r"hard cover \(walls, rocks, rubble, buildings, palisades, trenches\)",
    "16.19 fleeing": r"it neither fights, shoots, nor casts",
    "17 hands": r"leaves no hand free for a shield in close combat; against missiles, the shield still counts",
}
# Weapons with range, Strength, and hands, as the rules have them.
WEAPONS = {
    "17": "close combat, with the user’s strength ",
    "17 missiles": "missile weapons weapon range strength hands rules short bow",
    "17.1": "weapon hands rules hand weapon 1 everyone has one",
    "17.3": "halberd 2 +1 strength",
    "17.5": "great weapon 2 +2 strength",
    "17.6": "flail 2 ",
    "17.8": "pistol and hand weapon 2 ",
    "17.9": 'longbow 30" 3 2 ',
    "17.10": 'crossbow 30" 4 2 ',
    "17.12": 'sling 18" 3 1 ',
    "17.13": 'handgun 24" 4 2 ',
    "17.14": 'pistol 8" 4 1 ',
    "17.15": 'javelin 8" user’s 1 ',
    "17.16": 'throwing axe 6" user’s 1 strength of the thrower +1',
}


@cache
def sections() -> dict[str, str]:
    """Return the words of each section of the booklet."""
    request = SheetRequest(workspace=Workspace(ROOT), paths=(ROOT / "cards",), game="skirmish", sheets=("booklet",))
    (document,) = sheet_documents(request)
    return {each.id: text(each) for each in document.sections}


@cache
def booklet() -> str:
    """Return the words of the booklet without the sections that only list terms and rulings."""
    return " ".join(words for name, words in sections().items() if name not in ("terms", "rulings", "the-armory"))


@pytest.mark.parametrize("fact", FACTS)
def test_the_booklet_has_every_rule_of_the_seed(fact: str) -> None:
    assert re.search(FACTS[fact], booklet()), fact


@pytest.mark.parametrize("weapon", WEAPONS)
def test_the_armory_has_what_a_player_needs_to_roll(weapon: str) -> None:
    assert WEAPONS[weapon] in sections()["the-armory"].replace("'", "’")


def test_whoever_is_afraid_to_charge_does_not_shoot_either() -> None:
    """18.4, as the tracker plays it."""
    assert "whoever fails stands still and does not shoot, or hits only on 6s" in sections()["terms"]


@pytest.mark.parametrize("ruling", RULES.rulings, ids=lambda ruling: ruling.id)
def test_answers_of_rulings_stand_alone(ruling: object) -> None:
    """An answer is a sentence that can be read without its question."""
    for answer in ruling.settings.values():  # type: ignore[attr-defined]
        first = answer.split()[0].strip(",.:").lower()
        assert first not in ("yes", "no.", "nothing", "it", "they", "them", "their", "those"), answer
        assert not re.match(r"(No|Yes|Nobody|Never|One|Two)[.,]", answer), answer
        assert len(answer.split()) >= 5, answer
