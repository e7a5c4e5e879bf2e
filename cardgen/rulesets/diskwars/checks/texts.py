"""Checks of the texts of cards: against the data that the referee plays by, and against the rules of the game."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from cardgen.game import (
    Card,
    CheckContext,
    Claim,
    Features,
    Finding,
    Findings,
    contradictions,
    join_words,
    mismatches,
    read_members,
    takes,
)
from cardgen.rulesets.diskwars.army import MOST_COPIES, Army, musters
from cardgen.rulesets.diskwars.wording import GRAMMAR, all_claims_of, claims_of, sentences_left

# The texts of cards, each with the key of what the tracker applies. It has no effects for objectives.
_TEXTS = {"focus": "focus_effects", "battle": "battle_effects", "passive": "bonuses", "ability": "bonuses"}
# The keys of an effect and of the three sorts of bonuses, with what the lines leave out; None is always written.
_LINES: tuple[dict[str, str | None], ...] = (
    {"do": None, "whom": None, "within": "any", "amount": "0", "damage": "physical"},
    {"stat": None, "amount": None, "when": None, "floor": ""},
    {"stat": None, "whom": None, "amount": "0"},
    {"gives": None, "when": None},
)

_MOVES = ("move", "shift")
# Whose numbers no bonus changes, though a text can.
_OF_ENEMIES = "enemies"

# What texts say of ranged attacks.
_OF_ATTACK = {"range": "range", "missile": "number of battle dice", "strength": "strength"}
# What is said of a text about ranged attacks or cover that differs from all of them.
_DERIVED = {key: f"none of its ranged attacks has this {key}" for key in _OF_ATTACK}
_DERIVED |= {
    "damage": "none of its effects deals damage of this kind",
    "do": "none of its effects does this",
    "cover_dice": "cover takes one battle die",
    "danger": "dangerous terrain deals d6 damage",
    "resists": "'resistant' is empty",
    "light": "it has neither 'flying' nor 'strider'",
    "unspent": "its heroes leave {value} points unspent",
    "strikes": "without swift and slow, it strikes at the same time as others",
    "copies": "a regiment has 3 copies of a small disk, 2 of a medium, and 1 of a large, elite, or unique disk at most",
    "magic_range": "Magic reaches medium range",
    "magic_type": "Magic deals arcane damage",
    "impact_type": "impact damage is physical",
    "army_copies": "a unique disk has one copy in an army",
    "before": "bold is before steady, steady before devious, devious before bold, and slow last",
    "after": "bold is before steady, steady before devious, devious before bold, and slow last",
}
# What an empowerment token adds to, by the key of a clause.
_EMPOWERED = {"empowered_attack": "attack", "empowered_counter": "counter", "empowered_toughness": "toughness"}
_DERIVED |= dict.fromkeys(_EMPOWERED, "empowered, it has {value}")
# The source that always deals damage of a type, so that it is immune or resistant to both.
_DEALT_BY = {"physical": "impact", "arcane": "magic"}
_ROLES = ("attack", "counter")
_FOLLOWERS = {"bold": "steady", "steady": "devious", "devious": "bold"}
_ROUNDS = 5
_LENGTH = f"a game ends after {_ROUNDS} rounds"
_PIECES = 4


class _Said(NamedTuple):
    """A line of effects that a clause of a text says."""

    line: str
    claim: Claim


def other_effect(card: Card, context: CheckContext) -> Findings:
    """Yield the clauses that say another effect than the data, at their words."""
    for text_key, data_key, said, written in _compared(card, context):
        for line, claim in said:
            does = f", and '{data_key}' says '{written[0][1]}'" if len(written) == 1 else f", and '{data_key}' does not"
            if takes(type(card), data_key, ({"Effect": line},)):
                message, advice = f"the text says '{line}'", f"write '{line}' in '{data_key}', or change the text"
            else:
                message, advice = f"no line of '{data_key}' can say this of a {card.KIND}", "change the text"
            yield Finding(f"{message}{does}", (text_key,), advice, text_range=claim[1:])


def unsaid_effect(card: Card, context: CheckContext) -> Findings:
    """Yield the effects of which a text that was read to its end says nothing."""
    for text_key, data_key, said, written in _compared(card, context):
        is_whole = claims_of(getattr(card, text_key)).is_whole
        for index, line in written[len(said) :] if is_whole else ():
            message = f"'{text_key}' says nothing of '{line}'"
            yield Finding(message, (data_key, index), help="remove it, or add it to the text")


def uncompared_sentence(card: Card, context: CheckContext) -> Findings:
    """Yield the sentences beside effects that were not read to the last word."""
    for text_key, data_key, _, _ in _compared(card, context):
        for text, start in sentences_left(getattr(card, text_key)):
            message = f"this sentence was not compared with '{data_key}', which the tracker plays"
            advice = (
                "make sure that the lines do what the sentence says, or leave them out; players then resolve the text"
            )
            yield Finding(message, (text_key,), advice, text_range=(start, start + len(text)))


def _compared(card: Card, context: CheckContext) -> Iterator[tuple[str, str, list[_Said], list[tuple[int, str]]]]:
    """Yield each text with effects: its key, theirs, what only the text says, and what only they say."""
    for text_key, data_key in _TEXTS.items() if context.card is card else ():
        text, effects = getattr(card, text_key, None), getattr(card, data_key, ())
        if not (text and effects):
            continue
        claims = claims_of(text).claims
        may_pin = context.rulings["effect-move"] == "allowed"
        written = [(index, _line(_effect_of(vars(effect), may_pin))) for index, effect in enumerate(effects)]
        only_said = []
        for number, claim in enumerate(claims, start=1):
            is_shift = any(each.meaning.get("pins_nobody") for each in claims[number : number + 1])
            line = _line(_effect_of(dict(claim.meaning), may_pin, is_shift=is_shift))
            for _ in range(1 + bool(line and claim.meaning.get("twice"))):
                match = next((each for each in written if each[1] == line), None)
                if match:
                    written.remove(match)
                elif line:
                    only_said.append(_Said(line, claim))
        yield text_key, data_key, only_said, written


def _effect_of(effect: dict[str, Any], may_pin: bool, *, is_shift: bool = False) -> dict[str, Any]:
    """Return an effect with `shift` for a move that pins nobody, unless no move of an ability does by a ruling."""
    if effect.get("do") not in _MOVES:
        return effect
    return {**effect, "do": "move" if not may_pin else "shift" if is_shift else effect["do"]}


def _line(effect: dict[str, Any]) -> str:
    """Return an effect as the line of a card file, without what goes without saying; '' for something else."""
    if effect.get("when") == _OF_ENEMIES:
        return ""
    for keys in _LINES:
        given = {key: default if effect.get(key) is None else effect.get(key) for key, default in keys.items()}
        if None not in given.values():
            values = {key: str(value).replace("1d6", "d6") for key, value in given.items()}
            if effect.get("whom") == "self":
                values["within"] = "any"
            last = values.pop("damage", "physical")
            written = (value for key, value in values.items() if key != "amount" or value != keys["amount"])
            text = " ".join(filter(None, written))
            return text + (f"/{last}" if last != "physical" else "")
    return ""


def other_card(card: Card, context: CheckContext) -> Findings:
    """Yield what a text says of its own card that the keys of the card do not say.

    A keyword that its kind does not have is that of another card.
    """
    values, weapon, place, read = vars(card) | _derived(card, context), "", 0, ""
    for text_key, claim in _facts(card, context):
        keyword = claim.meaning.get("keywords")
        if keyword and not takes(type(card), "keywords", (keyword,)):
            continue
        # 'Bow: it rolls 2 battle dice, with strength 1': the weapon is that of the whole sentence.
        goes_on = text_key == read and "." not in getattr(card, text_key)[place : claim.start]
        weapon = claim.meaning.get("weapon") or (weapon if goes_on else "")
        read, place = text_key, claim.end
        attacks = getattr(card, "ranged", ())
        named = [each for each in attacks if _words(each.name) == weapon]
        derived = _DERIVED
        if named:
            derived = _DERIVED | {key: f"its {named[0].name} has another {what}" for key, what in _OF_ATTACK.items()}
        if named or claim.meaning.get("titled"):
            attacks = named
        own = {key: [getattr(each, key) for each in attacks] for key in _OF_ATTACK} if attacks else {}
        own |= _of_effects(getattr(card, _TEXTS.get(text_key, ""), ()))
        if weapon and attacks:
            own["damage"] = [each.damage for each in attacks]
            derived |= {"damage": "none of its ranged attacks deals damage of this kind"}
        yield from contradictions(values | own, (claim,), (text_key,), derived, type(card))
    yield from _other_members(card, context)
    yield from _other_attack(card, context)


# An attack that a text names, after what is done with it.
_WITH_ATTACK = re.compile(
    r"\b(?:rolls?|hits?|shoots?|attacks?|misses|fires) (?:[a-z0-9]+ ){0,3}with (?:its )?([A-Z]\w+(?: [A-Z]\w+)*)"
)


def _other_attack(card: Card, context: CheckContext) -> Findings:
    """Yield the ranged attacks that the ability of a disk names, and the disk does not have."""
    attacks, terms = getattr(card, "ranged", ()), context.glossary.forms
    text = getattr(card, "ability", None) or ""
    for match in _WITH_ATTACK.finditer(text) if attacks and context.card is card else ():
        if match[1] not in terms and _words(match[1]) not in {_words(each.name) for each in attacks}:
            names = join_words([f"'{each.name}'" for each in attacks], "and")
            message = f"it has no attack '{match[1]}', but {names}"
            yield Finding(message, ("ability",), "change one of the names", text_range=match.span(1))


def _words(name: str) -> str:
    """Return a name as clauses say it."""
    return " ".join(token.word for token in GRAMMAR.tokenize(name))


def _of_effects(effects: Iterable[Any]) -> dict[str, Any]:
    """Return what the effects of a card do, if it has some."""
    done = [each.do for each in effects if hasattr(each, "do")]
    return {"do": done} if done else {}


# What a text names of its effects and bonuses, as findings show it.
_NAMES = {
    "told_within": "{} range",
    "told_amount": "{} damage",
    "told_damage": "{} damage",
    "told_flips": "{} flips",
    "gives": "{}",
    "told_whom": "{}",
    "stat": "{}",
    "told_change": "{:+}",
    "told_do": "'{}'",
    "told_when": "{} disks",
    "told_side": "{} disks",
    "told_activation": "{} activations",
    "told_faction": "{}",
}
_OF_OTHERS = frozenset(("enemy", "enemies", "opponent", "opponents", "terrain"))


def _other_members(card: Card, context: CheckContext) -> Findings:
    """Yield what a text names in place of each range, number, type, or keyword of its effects and bonuses."""
    for text_key, data_key in _TEXTS.items() if context.card is card else ():
        text, effects = getattr(card, text_key, None), getattr(card, data_key, ())
        if text and (effects or card.KIND == "command"):
            named, stated = read_members(GRAMMAR, text, _OF_OTHERS if data_key == "bonuses" else frozenset())
            left = [range(start, start + len(sentence)) for sentence, start in claims_of(text).unread]
            unread = [each for each in stated if any(each.start in sentence for sentence in left)]
            yield from mismatches(named, (text_key,), _members_of(effects), _NAMES, unread, data_key)
            shown = {f"told_{key}": getattr(card, key, None) for key in ("activation", "faction")}
            yield from mismatches(named, (text_key,), shown, _NAMES, unread)


_SIDES = {"enemy": "enemy", "enemies": "enemy"} | dict.fromkeys(("self", "friend", "other", "friends"), "friend")


def _members_of(effects: Iterable[Any]) -> dict[str, tuple[Any, ...]]:
    """Return what effects and bonuses are made of, by the keys of the clauses that name it."""
    members: dict[str, set[Any]] = {}
    for given in map(vars, effects):
        told = {"told_whom": given["whom"]} if "stat" in given and given.get("whom") in ("heroes", "units") else {}
        if "stat" in given:
            told |= {"stat": given["stat"], "told_change": given["amount"]}
        elif "gives" in given:
            told |= {"gives": given["gives"], "told_when": given["when"]}
        else:
            told |= {"told_within": given["within"], "told_side": _SIDES.get(given["whom"], "any")}
            told |= {"told_do": given["do"]} if given["do"] in ("refresh", "exhaust") else {}
            told |= {"told_flips": given["amount"]} if given["do"] in _MOVES else {}
            is_damage = given["do"] == "damage"
            told |= {"told_amount": given["amount"], "told_damage": given["damage"] or "physical"} if is_damage else {}
        for key, value in told.items():
            number = str(value)
            members.setdefault(key, set()).add(int(number) if number.lstrip("-").isdigit() else number)
    return {key: tuple(sorted(each, key=str)) for key, each in members.items() if each.isdisjoint(_UNNAMED)}


# What no word of a text stands for.
_UNNAMED = frozenset(("any", "empowered", "ready", "shots", "shelter", "blocks-sight", "cover", "rough"))


def _derived(card: Card, context: CheckContext) -> dict[str, Any]:
    """Return what follows from the keys of a card, by the keys of the clauses that say it."""
    stats = {key: str(getattr(card, stat, "")) for key, stat in _EMPOWERED.items()}
    values: dict[str, Any] = {key: int(stat) + 1 for key, stat in stats.items() if stat.isdigit()}
    if "cover" in getattr(card, "keywords", ()):
        values["cover_dice"] = 1
    if getattr(card, "dangerous", None):
        values["danger"] = "1d6"
    for key in ("immune", "resistant"):
        if names := getattr(card, key, ()):
            values[key] = [*names, *(source for damage, source in _DEALT_BY.items() if damage in names)]
    values |= {key: ["both", *_ROLES] for key in ("swift", "slow", "defensive") if getattr(card, key, None) == "both"}
    if (strategy := getattr(card, "strategy", "")) in _FOLLOWERS:
        ahead = [each for each, behind in _FOLLOWERS.items() if behind == strategy]
        values |= {"before": [_FOLLOWERS[strategy], "slow", strategy], "after": [*ahead, strategy]}
    elif strategy:
        values |= {"before": [strategy], "after": [*_FOLLOWERS, strategy]}
    if "resistant" in (own := vars(card)):
        values["light"] = bool({"flying", "strider"}.intersection(own["keywords"]))
        values["resists"] = bool(own["resistant"])
        values |= {"magic_type": "arcane", "magic_range": "medium"} if own["magic"] else {}
        values |= {"impact_type": "physical"} if own["impact"] else {}
        values |= {} if own["swift"] or own["slow"] else {"strikes": "together"}
        is_unique, is_single = own["mark"] == "unique", own["mark"] in ("unique", "elite")
        values["copies"] = [*range(1, 1 + (1 if is_single else MOST_COPIES[own["disk"]]))]
        values |= {"army_copies": [1]} if is_unique else {}
    if isinstance(card, Army):
        found = list(musters(card, context))
        if all(each.is_complete and each.hero for each in found):
            paid = sum(unit.copies * (unit.disk.cost or 0) for each in found for unit in each.units)
            values["unspent"] = sum(each.hero.disk.recruitment or 0 for each in found if each.hero) - paid
    return values


def _facts(card: Card, context: CheckContext) -> Iterator[tuple[str, Claim]]:
    """Yield the claims of the texts of a card that are not effects, each with the key of its text."""
    for text_key in (*_TEXTS, "text") if context.card is card else ():
        text = getattr(card, text_key, None)
        for claim in all_claims_of(text) if text else ():
            if not _line(dict(claim.meaning)):
                yield text_key, claim


def second_token(card: Card, context: CheckContext) -> Findings:
    """Yield the effects and clauses that empower one disk a second time."""
    for data_key in ("focus_effects", "battle_effects") if context.card is card else ():
        own = [index for index, each in enumerate(getattr(card, data_key, ())) if _empowers_itself(vars(each))]
        for index in own[1:]:
            advice = "remove it, or empower another disk"
            yield Finding("this disk is empowered already", (data_key, index), advice)
    for text_key in ("focus", "battle") if context.card is card else ():
        for claim in claims_of(getattr(card, text_key, None) or "").claims:
            if claim.meaning.get("twice"):
                advice = "a disk has one empowerment token at most"
                yield Finding("it is empowered twice", (text_key,), advice, text_range=claim[1:])


def _empowers_itself(effect: Features | dict[str, Any]) -> bool:
    return effect.get("do") == "empower" and effect.get("whom") == "self"


def never_empowered(card: Card, context: CheckContext) -> Findings:
    """Yield what says that a disk cannot be empowered although its own focus ability empowers it."""
    effects = [vars(each) for each in getattr(card, "focus_effects", ())]
    said = [claim.meaning for claim in claims_of(getattr(card, "focus", None) or "").claims]
    if any(map(_empowers_itself, [*effects, *said])):
        for text_key, claim in _facts(card, context):
            if claim.meaning.get("empowerable") is False:
                message = "it cannot be empowered, but its focus ability empowers it"
                yield Finding(message, (text_key,), "remove one of them", text_range=claim[1:])


# What a rule of the game rules out, whatever a card says: why, and what to do.
_RULED_OUT = {
    "under-disks": ("terrain is placed before the first disk is deployed", "let it be placed in the set-up"),
    "near-edge": ("terrain is never within short range of an edge", "leave out the edge"),
    "near-terrain": ("terrain is never within short range of other terrain", "leave out the other terrain"),
    "on-enemies": ("nobody is deployed on an enemy disk or in an enemy zone", "let them reinforce"),
    "scout-reserve": ("scout is for disks that are deployed, not for those that reinforce", "give it flank, or a move"),
    "scout-token": ("no activation token is placed on a disk after it scouts", "leave it out"),
    "siege-hits": ("beyond long range, only critical hits deal damage", "write a longer range below siege"),
    "scout-moves": ("a scout makes one free move before round 1", "write one, or leave it out"),
    "scout-pin": ("no scout overlaps an enemy in its free move", "leave out the enemy"),
    "flank-enemy": ("a disk that flanks pins no enemy, and enters no enemy zone", "leave out the enemy"),
    "rounding": ("what is left of halved damage is rounded up", "write 'rounded up'"),
    "immune-true": ("true damage ignores immune and resistant", "leave it out"),
    "magic-dice": ("Magic is not a ranged attack, and rolls no battle dice", "leave out the dice"),
    "own-target": ("no disk is the target of its own ranged attack", "write the damage as an ability"),
    "battle-once": ("a battle ability is used once for each card", "write the effect as a second one"),
    "pin-move": ("by the ruling effect-move, no ability moves a disk onto an enemy", "leave it out"),
    "disk-sight": ("no disk blocks the line of sight of others", "leave it out"),
    "two-tokens": ("a disk has one empowerment token at most", "leave it out"),
    "hero-reserve": ("every hero is deployed, or reinforces in round 1", "let it be a unit"),
    "impact-arriving": ("impact follows flips, not the deployment or reinforcement", "write the damage as an ability"),
    "dangerous-deployed": (
        "terrain is dangerous after flips and reinforcements, not at the deployment",
        "leave it out",
    ),
}
# Scout for disks that reinforce; the check idle-gift finds it among the lines of a deployment card.
_IDLE_GIFT = {"gives": "scout", "when": "reinforced"}


def ruled_out(card: Card, context: CheckContext) -> Findings:
    """Yield what texts say that a rule of the game, or a ruling on it, rules out."""
    may_pin, is_special = context.rulings["effect-move"] == "allowed", getattr(card, "special", False)
    for text_key, claim in _facts(card, context):
        place = claim.start, claim.end
        against = claim.meaning.get("against")
        if against in _RULED_OUT and not (against == "pin-move" and may_pin):
            yield Finding(_RULED_OUT[against][0], (text_key,), _RULED_OUT[against][1], text_range=place)
        if claim.meaning.get("last_round", _ROUNDS) != _ROUNDS and not is_special:
            yield Finding(_LENGTH, (text_key,), "write a 'special' scenario, or leave it out", text_range=place)
    for claim in claims_of(getattr(card, "ability", None) or "").claims if context.card is card else ():
        if _IDLE_GIFT.items() <= dict(claim.meaning).items():
            message, advice = _RULED_OUT["scout-reserve"]
            yield Finding(message, ("ability",), advice, text_range=(claim.start, claim.end))
    for text_key in (*_TEXTS, "objective", "text") if context.card is card and not is_special else ():
        text = getattr(card, text_key, None) or ""
        for number, start, end in GRAMMAR.occurrences("pieces", text):
            if isinstance(number, int) and number > _PIECES:
                message, advice = f"{_PIECES} pieces of terrain are placed", "name fewer, or write a 'special' scenario"
                yield Finding(message, (text_key,), advice, text_range=(start, end))
        told = [claim for claim in claims_of(text).claims if claim.meaning.get("last_round")]
        for number, start, end in GRAMMAR.occurrences("round", text):
            is_told = any(claim.start <= start < claim.end for claim in told)
            if isinstance(number, int) and number > _ROUNDS and not is_told:
                advice = "use an earlier round, or write a 'special' scenario"
                yield Finding(_LENGTH, (text_key,), advice, text_range=(start, end))


# What keywords do, for texts that say the opposite.
_DOES = {
    "flank": "it may reinforce from any edge",
    "flying": "it ignores disks and terrain while it moves",
    "frenzy": "it attacks every enemy that it pins",
    "mobile": "it may shoot or use its focus ability when it moves",
    "relentless": "it need not stop the first time that it pins an enemy",
    "scout": "it makes a free move before round 1",
    "strider": "it ignores the abilities of terrain while it moves",
    "impact": "it deals damage to what it pins after a flip",
    "magic": "it deals arcane damage as its focus ability",
    "swift": "it deals its damage before disks without it",
    "slow": "it deals its damage after disks without it",
    "unstable": "on chaos, the effect strikes its user, too",
    "slow-strategy": "cards of this strategy are resolved last",
    "blocks-sight": "no line of sight between disks outside of it leads through it",
    "cover": "shots at disks that overlap it have one battle die fewer",
    "fortified": "disks that overlap it are immune to impact damage",
    "high-ground": "disks that overlap it see past everything",
    "rough": "a flip onto it ends the move",
    "dangerous": "it damages disks that overlap it after a flip",
    "defensive": "disks that overlap it have swift",
}
# What several keywords give.
_GIVEN_BY = {"ignorance": ("flying", "strider"), "speed": ("swift", "slow"), "early": ("swift", "defensive")} | {
    f"full-{source}": (f"immune-{source}", f"resistant-{source}") for source in ("ranged", *chain(*_DEALT_BY.items()))
}


def against_own_keyword(card: Card, context: CheckContext) -> Findings:
    """Yield what a text says that a keyword of its card rules out."""
    own = _keywords_of(card, context)
    for text_key, claim in _facts(card, context):
        lacks = claim.meaning.get("lacks", "")
        keyword = next((each for each in _GIVEN_BY.get(lacks, (lacks,)) if each in own), "")
        if keyword:
            word, _, damage = keyword.partition("-") if keyword not in _DOES else (keyword, "", "")
            does = _DOES.get(word, f"its {word!r} names {damage}, or what deals it")
            advice = f"remove {word}, or change the text"
            yield Finding(f"{word}: {does}", (text_key,), advice, text_range=(claim.start, claim.end))


def _keywords_of(card: Card, context: CheckContext) -> set[str]:
    """Return what texts can deny of a card; a disk that is both swift and slow strikes first and last."""
    values = vars(card) | _derived(card, context)
    own = {*values.get("keywords", ())}
    own |= {key for key in ("impact", "magic", "dangerous", "defensive", "unstable") if values.get(key)}
    own |= {f"{key}-{name}" for key in ("immune", "resistant") for name in values.get(key, ())}
    own |= {"slow-strategy"} if values.get("strategy") == "slow" else set()
    speeds = {key for key in ("swift", "slow") if values.get(key)}
    both = {"swift": "slow", "slow": "swift"}
    for key, other in both.items():
        roles = _ROLES if values.get(key) == "both" or "both" in (values.get(key) or ()) else (values.get(key),)
        own |= {f"{key}-{role}" for role in roles if role and role != values.get(other)}
    return own | (speeds if len(speeds) == 1 else set())


def too_many_points(card: Card, context: CheckContext) -> Findings:
    """Yield the victory points of an objective that exceed those of its card."""
    points, text = getattr(card, "points", None), getattr(card, "objective", None)
    for said, *place in GRAMMAR.occurrences("score", text) if context.card is card and text and points else ():
        if isinstance(said, int) and said > int(points or 0):
            message = f"it scores {said} VP, but the card gives {points} at most"
            yield Finding(message, ("objective",), "change one of them", text_range=(place[0], place[1]))
    for said, *place in GRAMMAR.occurrences("most_score", text) if context.card is card and text and points else ():
        if isinstance(said, int) and said < int(points or 0):
            message = f"it scores {said} VP at most, but the card says {points}"
            yield Finding(message, ("objective",), "change one of them", text_range=(place[0], place[1]))
