"""Every fact of the players' reference is in a rule of the sheet."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cardgen.reference.document_tree import Block, Document, ItemList, RuleBlock, Section, Table, TextBlock
from cardgen.reference_sheets.make_sheets import SheetRequest, sheet_documents
from tests.cases import each_case

# Words that the rule with a fact contains, by the numbers of the facts.

FACTS: dict[str, tuple[str, ...]] = {
    # what is printed
    "P1 disk": ("small, medium, or large", "race", "faction", "unique", "elite", "recruitment cost", "command value"),
    "P1 numbers": ("attack strength", "counter strength", "toughness", "movement in flips", "stamina", "missile value"),
    "P2 several": ("a disk can have several",),
    "P3 command": ("strategy, activation value", "passive ability", "italics", "limited to"),
    "P4 terrain": ("both sides of the piece",),
    "P5 scenario": ("for when it is active", "objective for when it is secret"),
    "P6 deployment": ("text side", "deployment value, and perhaps an ability"),
    "P7 special": ("special scenario", "strongholds"),
    "P8 tokens": ("initiative (large, 2, 3, 4), activation, battle ability, damage, wound, empowerment",),
    "P9 equipment": ("range ruler", "four corner tokens", "battle dice", "six-sided dice"),
    "P10 die": ("six faces, five results",),
    # set-up
    "S1 field": ("square of 3 × 3 feet", "corner token at each corner"),
    "S2 edges": ("opposite edges",),
    "S3 roll": ("roll d6 each, and add your recruitment points left over", "again on a tie"),
    "S4 first": ("higher total decides who gets the large token", "last player"),
    "S6 scenario": ("2 go to the last player, who picks 1 to lie open", "its ability is in force"),
    "S7 secret": ("deal each player 1, hidden", "secret objective"),
    "S8 deployment cards": (
        "one, text up, for each regiment of all armies",
        "reverse initiative order, take one at a time",
    ),
    "S9 placing": ("place it at your edge, either side up, not onto another of yours",),
    "S10 zones": ("adjacent cards are one zone, and their abilities cover all of it", "a card on its own is a zone"),
    "S11 depth": ("as deep as medium range",),
    "S12 terrain": ("4 terrain cards open", "reverse initiative order", "place its piece, either side up"),
    "S13 where": ("wholly on the field", "not within short range of an edge or of another piece"),
    "S14 cards": ("keep the card beside the field",),
    "S15 deploying": ("in reverse initiative order, each player places disks wholly inside own zones",),
    "S16 number": ("exactly as many as its deployment values add up to",),
    "S17 stacking": ("disks may lie on your own, which pins them",),
    "S18 never": ("no part of them may overlap an enemy zone or lie on an enemy disk",),
    "S19 heroes": ("every hero must be deployed", "reinforce in round 1, or becomes a casualty when that round ends"),
    "S20 scouts": ("scouts move", "then round 1 begins"),
    # reserve
    "V1 area": ("not deployed", "beside the field and apart from your casualties"),
    "V2 only": ("all that they can be activated for is to reinforce",),
    "V2 activation": ("uses one activation of your command card",),
    "V3 where": ("within one of your zones",),
    "V4 token": ("give it an activation token", "reinforce:"),
    "V5 end": ("still in reserve after the last round become casualties",),
    "V6 not counted": ("the end of the activation phase does not wait for them",),
    # sight, pinning, range
    "G1 when": ("needed for ranged attacks, and for every ability that targets a disk",),
    "G2 what": ("misses all terrain that blocks sight", "disks never block it"),
    "G3 test": ("any straight line from some part of one to some part of the other",),
    "G4 overlapping": ("a piece that blocks sight does not block it to or from the disks that overlap it",),
    "G5 pinning": ("a disk lies on it; tokens between the two make no difference",),
    "G6 stacks": ("third disk between them, the top one does not pin the lowest",),
    "G7 own": ("a friendly disk pins, too",),
    "G8 effect": ("cannot be activated, but can use battle abilities, be a target, and counter",),
    "G9 ranges": ("short, medium, long", "siege is everything beyond long"),
    "G11 measuring": ("measure whenever you like, from the ruler’s short end",),
    "G12 from": ("from the edge of the disk that shoots or uses an ability to the closest edge", "in range"),
    "G13 empowered": ("+1 attack, +1 counter, and +1 toughness",),
    "G14 twice": ("cannot be empowered again",),
    # the round
    "A1 round": ("three phases: activation, melee, and end",),
    "A2 loop": ("choose, resolve, and discard command cards, again and again",),
    "A3 ends": ("until every disk on the field is activated or pinned, or the players have no command cards left",),
    "A4 choosing": ("a card in secret, face down; then all reveal at once",),
    "A5 compulsory": ("you must, even if none of your disks can be activated",),
    "A6 strategies": (
        "bold before steady, steady before devious, devious before bold; slow last",
        "first player goes first",
    ),
    "A7 passive": ("from the reveal", "until the card is discarded", "if it is for one disk"),
    "A8 battle": ("optional, once for each card, before or after any of", "measure its range from that disk"),
    "A9 who": ("activated or pinned or not, and is not activated by it",),
    "A10 value": (
        "as many of your disks as the card’s activation value",
        "none of them pinned or already activated",
        "lost",
    ),
    "A11 token": ("then gets an activation token", "each disk takes one action"),
    "A12 actions": ("each disk, one action", "focus ability", "ranged attack", "pass", "reinforce"),
    "A13 move": ("end over end, up to as many times as its movement", "pinning an enemy ends the move"),
    "A14 focus": ("a disk may be its own target for focus and battle abilities, unless the text says otherwise",),
    "A16 pass": ("nothing happens, but it still gets its activation token",),
    "A17 discarding": ("discard the resolved card, open, to your pile",),
    # melee
    "E1 engagement": ("engagement", "a disk pins an enemy"),
    "E2 order": ("the first player decides the order of engagements",),
    "E3 roles": ("the disk above is the attacker, the one beneath the defender",),
    "E4 exchange": (
        "attacker’s attack strength is damage to the defender",
        "the defender’s counter strength to the attacker",
        "no dice, except for d6",
    ),
    "E5 compulsory": ("a disk that can deal damage must",),
    "E6 new": ("created during the melee phase are not fought this round",),
    "E7 tokens": ("one damage token for each point",),
    "E8 casualty": (
        "as soon as a disk has as much damage as toughness, or more, it is wounded",
        "to its owner’s casualty pile",
    ),
    "E9 stamina": ("fewer wound tokens than its stamina", "remove all its damage", "place 1 wound token"),
    "E10 types": ("melee damage is physical", "arcane"),
    "E11 true": ("true damage ignores immune and resistant",),
    "E12 swift and slow": ("swift and slow of the same type on one disk cancel",),
    "E13 one each": ("each damages one enemy in an engagement", "attackers choose first, then defenders"),
    "E14 embattled": ("pinned by an enemy and pins another is embattled",),
    "E15 scrum": ("one by one from the top, where the embattled disk defends",),
    "E16 lifting": ("takes off its tokens, lifts it straight up, and puts it back",),
    # end
    "N1 tokens": ("remove all tokens but wounds: damage, activation, empowerment, battle ability",),
    "N2 cards": ("discarded command cards go back to their owners’ hands",),
    "N3 length": ("the game lasts 5 rounds",),
    "N4 order": ("reserves become casualties; then each player scores",),
    "N5 points": ("most victory points win; ties go to the player earlier in initiative order",),
    "N6 elimination": ("no disks on the field is out at once, even with some in reserve",),
    "N7 last": ("the last player left wins", "if all last disks leave together, nobody wins"),
    "N8 control": ("a disk of yours overlaps, and no enemy disk does",),
    # ranged attacks
    "R1 who": ("with a missile value may shoot", "may be pinning"),
    "R2 target": ("in sight and within the attack’s maximum range, never at itself",),
    "R3 dice": ("missile value", "roll this many battle dice"),
    "R4 hit": ("deals the attack’s strength, in its type. nothing at siege range",),
    "R5 critical": ("the same, at every range", "not yet activated also gets an activation token"),
    "R6 miss": ("miss nothing.",),
    "R7 chaos": ("unless an ability of the shooter names it",),
    "R8 scatter": ("before any damage, roll that die again",),
    "R9 whom": ("at the disk closest to the target within its short range; if there is no such disk, nothing happens",),
    "R10 result": ("second scatter counts for nothing", "other results apply to that disk as usual"),
    "R11 range": ("as if it were at the target’s range, even beyond the attack’s maximum",),
    "R12 d6": ("one d6 with the battle dice", "every hit and critical hit of the attack"),
    "R13 magic": ("not a ranged attack: no battle dice, cover, or scatter",),
    # options
    "O1 special": ("choose its card before the set-up", "all it does not change stays"),
    "O2 strongholds": ("strongholds needs a core set for each player",),
    "O3 tokens": ("the winner of the roll hands out all initiative tokens",),
    "O4 order": ("large, 2, 3, 4; the last of them is the last player",),
    "O5 reverse": ("reverse: 4, 3, 2, large",),
    "O6 squeezed": ("edge touches both others’ may place deployment cards along all of it",),
    "O7 others": ("within long range of a corner of their own edge: the one that they do not share with that player",),
    "O8 four": ("no deployment card within medium range of a corner",),
    "O9 cards": ("compare each card with the first player’s",),
    "O10 slow": ("if that is slow, it is last; compare the others with each other, with ties in initiative order",),
    "O11 engagements": ("attack together; disks pinned together defend together", "assign damage in initiative order"),
    "O12 terrain": ("4 terrain cards in any case",),
    # armies
    "B1 size": ("agree on their number",),
    "B2 regiment": ("a hero leads each, and pays for its units with recruitment points",),
    "B3 budget": ("costs add up to no more than these", "heroes do not share points"),
    "B5 factions": ("never order and destruction together",),
    "B6 race": ("recruits no disk of another race",),
    "B7 unique": ("at most 1 copy of each unique disk",),
    "B8 unique hero": ("at least one unique hero",),
    "B9 sizes": ("as many small disks as medium and large ones together, without the hero",),
    "B10 copies": ("3 copies of a small disk, 2 of a medium one, 1 of a large one",),
    "B11 elite": ("in each regiment", "one elite disk"),
    "B12 command cards": ("adds this many command cards to your hand; no title twice",),
    "B13 faction cards": ("only if a hero in your army is of order", "destruction only"),
    # keywords of disks
    "K1 flank": (
        "flank",
        "touching the edge, but not in an enemy zone and not pinning an enemy",
        "usual way stays open",
    ),
    "K2 flying": ("flying", "ignores disks and terrain while it moves", "pins and overlaps as usual"),
    "K3 frenzy": ("frenzy", "attacks every disk that it pins, not just one"),
    "K4 immune": ("immune (x)", "x can neither target nor damage it"),
    "K5 impact": ("after each flip, x physical damage to every disk", "not on deployment or reinforcement", "crosses"),
    "K6 magic": ("magic x", "x arcane damage to one enemy target within medium range"),
    "K7 mobile": ("mobile", "wholly before or wholly after the move"),
    "K8 relentless": ("relentless", "the first time in a move that it pins", "the second time, it stops"),
    "K9 resistant": ("resistant (x)", "half of each damage from x, rounded up"),
    "K10 scout": (
        "before round 1, it may make a free move",
        "may not overlap or damage an enemy",
        "in initiative order",
    ),
    "K11 scout limit": ("disks that reinforce do not scout",),
    "K12 slow": ("its damage after disks without slow, and if it is removed first", "three types"),
    "K13 strider": ("strider", "ignores terrain abilities while it moves"),
    "K14 swift": ("before disks without swift", "does not strike back", "survives with stamina does"),
    # named abilities
    "K15 big boss": ("can take activation tokens off", "boyz"),
    "K16 hellcannon": (
        "when it shoots, it has to flip toward the closest disk that it does not pin, and onto it if it can",
    ),
    "K17 kairos": ("kairos fateweaver", "his ability reinforces gets an activation token"),
    "K18 plaguebearers": ("moves within short range of them loses its token, even if it moves on",),
    "K19 steam tank": ("any one of its 3, whose range must fit",),
    "K20 tyrion": ("a separate d6 for each disk that he engages",),
    "C1 only": ("order only", "destruction only"),
    "C2 unstable": ("roll 1 battle die", "also applies to the disk that uses the ability, besides all targets"),
    "C3 winds": ("no effect on a disk whose maximum range is already siege",),
    "C4 rot": ("more than its lowered toughness, it takes a wound at once, and its damage is removed",),
    "C5 blood": ("fights any one engagement that it is in, embattled or not",),
    # terrain
    "T1 sight": ("blocks sight", "blocks line of sight"),
    "T2 cover": ("1 battle die fewer, but at least 1", "scatter is rolled as usual"),
    "T3 dangerous": ("after a flip or a reinforcement takes d6 damage", "the move may go on", "not on deployment"),
    "T4 defensive": ("disks that overlap it gain swift",),
    "T5 fortified": ("immune to impact damage",),
    "T6 high ground": ("sees past everything that blocks sight",),
    "T7 rough": ("a flip onto it ends the move", "already overlapped this piece may go on"),
    "T8 cave": ("can be resolved on disks that overlap the cave, even if the target does not",),
    "T9 windmill": ("needs only to overlap it, not to lie wholly on it",),
    # the short round of the play reference
    "M3 choose": ("choose one command card each, face down; reveal together",),
    "M3 melee": ("scrums from the top down", "damage both ways at once", "each disk hurts one enemy"),
    "M3 end": ("all tokens but wounds come off; take back command cards",),
}


def rules(document: Document) -> Iterator[str]:
    """The text of each rule, and of each row of a table, in lowercase."""
    for _, section in document.walk():
        yield from (rule.casefold().replace("†", "") for rule in _rules(section))


def _rules(section: Section) -> Iterator[str]:
    for block in section.blocks:
        if isinstance(block, ItemList) and block.marks:
            yield from (" ".join(_texts(item)) for item in block.items)
        elif isinstance(block, Table):
            yield from (" ".join(cell.plain_text for cell in row) for row in block.rows)
        else:
            yield " ".join(_texts((block,)))


def _texts(blocks: tuple[Block, ...]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, TextBlock):
            yield block.text.plain_text
        elif isinstance(block, RuleBlock):
            yield from _texts(block.blocks)
        elif isinstance(block, ItemList):
            for item in block.items:
                yield from _texts(item)


def sheet(game: str, name: str) -> list[str]:
    (document,) = sheet_documents(SheetRequest(sheets=(name,), game=game))
    return list(rules(document))


@pytest.fixture(scope="module")
def reference() -> list[str]:
    return sheet("diskwars", "reference")


@pytest.fixture(scope="module")
def other_games() -> list[str]:
    return [*sheet("warniris", "booklet"), *sheet("warcry", "play-reference")]


def saying(words: tuple[str, ...], texts: list[str]) -> list[str]:
    return [text for text in texts if all(word in text for word in words)]


@each_case("fact", FACTS)
def test_a_fact_is_in_a_rule(fact: str, reference: list[str], other_games: list[str]) -> None:
    """It is in one rule, or in two that repeat it, and no rule of another game happens to say it."""
    assert 1 <= len(saying(FACTS[fact], reference)) <= 2
    assert saying(FACTS[fact], other_games) == []


def test_no_fact_is_in_the_same_words_as_another() -> None:
    assert len(set(FACTS.values())) == len(FACTS)
