"""Checks of the texts of cards: against the data that the referee plays by, and against the rules of the game."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from cardgen.game import Card, CheckContext, Claim, Features, Finding, Findings, contradictions
from cardgen.rulesets.diskwars.army import Army, musters
from cardgen.rulesets.diskwars.wording import GRAMMAR, claims_of

# The texts of cards, each with the key of what the tracker applies. It has no effects for objectives.
_TEXTS = {"focus": "focus_effects", "battle": "battle_effects", "passive": "bonuses", "ability": "bonuses"}
# The keys of an effect and of the three sorts of bonuses, with what the lines leave out; None is always written.
_LINES: tuple[dict[str, str | None], ...] = (
    {"do": None, "whom": None, "within": "any", "amount": "0", "damage": "physical"},
    {"stat": None, "amount": None, "when": None},
    {"stat": None, "whom": None, "amount": "0"},
    {"gives": None, "when": None},
)

# Whose numbers no bonus changes, though a text can.
_OF_ENEMIES = "enemies"

# What is said of a text about ranged attacks or cover that differs from all of them.
_DERIVED = {key: f"none of its ranged attacks has this {key}" for key in ("range", "missile", "strength")}
_DERIVED |= {
    "amount": "none of its effects deals this damage",
    "damage": "none of its effects deals damage of this kind",
    "told_flips": "none of its effects moves a disk so far",
    "within": "none of its effects reaches this range",
    "do": "none of its effects does this",
    "told_stat": "none of its bonuses changes this",
    "cover_dice": "cover takes one battle die",
    "danger": "dangerous terrain deals d6 damage",
    "resists": "'resistant' is empty",
    "unspent": "its heroes leave {value} points unspent",
}
# What an empowerment token adds to, by the key of a clause.
_EMPOWERED = {"empowered_attack": "attack", "empowered_counter": "counter", "empowered_toughness": "toughness"}
_DERIVED |= dict.fromkeys(_EMPOWERED, "empowered, it has {value}")
_ROUNDS = 5


class _Said(NamedTuple):
    """A line of effects that a clause of a text says."""

    line: str
    claim: Claim


def other_effect(card: Card, context: CheckContext) -> Findings:
    """Yield the clauses that say another effect than the data, at their words."""
    for text_key, data_key, said, written, _ in _compared(card, context):
        for line, claim in said:
            does = f", and '{data_key}' says '{written[0][1]}'" if len(written) == 1 else f", and '{data_key}' does not"
            advice = f"write '{line}' in '{data_key}', or change the text"
            yield Finding(f"the text says '{line}'{does}", (text_key,), advice, text_range=claim[1:])


def unsaid_effect(card: Card, context: CheckContext) -> Findings:
    """Yield the effects of which a text that was read to its end says nothing."""
    for text_key, data_key, said, written, is_whole in _compared(card, context):
        for index, line in written[len(said) :] if is_whole else ():
            message = f"'{text_key}' says nothing of '{line}'"
            yield Finding(message, (data_key, index), help="remove it, or add it to the text")


def _compared(card: Card, context: CheckContext) -> Iterator[tuple[str, str, list[_Said], list[tuple[int, str]], bool]]:
    """Yield each text with effects: its key, theirs, what only the text says, what only they say, and if it is read."""
    for text_key, data_key in _TEXTS.items() if context.card is card else ():
        text, effects = getattr(card, text_key, None), getattr(card, data_key, ())
        if not (text and effects):
            continue
        claims, is_whole = claims_of(text)
        written = [(index, _line(vars(effect))) for index, effect in enumerate(effects)]
        only_said = []
        for claim in claims:
            line = _line(dict(claim.meaning))
            for _ in range(1 + bool(line and claim.meaning.get("twice"))):
                match = next((each for each in written if each[1] == line), None)
                if match:
                    written.remove(match)
                elif line:
                    only_said.append(_Said(line, claim))
        yield text_key, data_key, only_said, written, is_whole


def _line(effect: dict[str, Any]) -> str:
    """Return an effect as the line of a card file, without what goes without saying; '' for something else."""
    if effect.get("when") == _OF_ENEMIES:
        return ""
    for keys in _LINES:
        if all(effect.get(key, default) is not None for key, default in keys.items()):
            values = {key: str(effect.get(key, default)).replace("1d6", "d6") for key, default in keys.items()}
            if effect.get("whom") == "self":
                values["within"] = "any"
            last = values.pop("damage", "physical")
            text = " ".join(value for key, value in values.items() if key != "amount" or value != keys["amount"])
            return text + (f"/{last}" if last != "physical" else "")
    return ""


def other_card(card: Card, context: CheckContext) -> Findings:
    """Yield what a text says of its own card that the keys of the card do not say."""
    values = vars(card) | _derived(card, context)
    for text_key, claim in _facts(card, context):
        attacks = getattr(card, "ranged", ())
        if claim.meaning.get("titled"):
            title = getattr(card, text_key)[claim.start :].partition(":")[0].strip()
            attacks = [each for each in attacks if each.name.casefold() == title.casefold()]
        own = {key: [getattr(each, key) for each in attacks] for key in ("range", "missile", "strength")}
        own = (own if attacks else {}) | _of_effects(getattr(card, _TEXTS.get(text_key, ""), ()))
        yield from contradictions(values | own, (claim,), (text_key,), _DERIVED)


def _of_effects(effects: Iterable[Any]) -> dict[str, Any]:
    """Return what a text can mention of its effects and bonuses: amounts, ranges, stats, and what they do."""
    given = [{key: str(value).replace("1d6", "d6") for key, value in vars(each).items()} for each in effects]
    damage = [each for each in given if each.get("do") == "damage"]
    if not (all("do" in each for each in given) and given):
        stats = [each["stat"] for each in given if "stat" in each]
        return {"told_stat": stats} if stats else {}
    return {
        "amount": [each["amount"] for each in damage],
        "damage": [each["damage"].replace("None", "physical") for each in damage],
        "told_flips": [each["amount"] for each in given if each["do"] == "move"],
        "within": [each["within"] for each in given],
        "do": [each["do"] for each in given],
    }


def _derived(card: Card, context: CheckContext) -> dict[str, Any]:
    """Return what follows from the keys of a card, by the keys of the clauses that say it."""
    stats = {key: str(getattr(card, stat, "")) for key, stat in _EMPOWERED.items()}
    values: dict[str, Any] = {key: int(stat) + 1 for key, stat in stats.items() if stat.isdigit()}
    if "cover" in getattr(card, "keywords", ()):
        values["cover_dice"] = 1
    if getattr(card, "dangerous", None):
        values["danger"] = "1d6"
    if hasattr(card, "resistant"):
        values["resists"] = bool(card.resistant)
    if isinstance(card, Army):
        found = list(musters(card, context))
        if all(each.is_complete and each.hero for each in found):
            paid = sum(unit.copies * (unit.disk.cost or 0) for each in found for unit in each.units)
            values["unspent"] = sum(each.hero.disk.recruitment or 0 for each in found if each.hero) - paid
    return values


def _facts(card: Card, context: CheckContext) -> Iterator[tuple[str, Claim]]:
    """Yield the claims of the texts of a card that are no effects, each with the key of its text."""
    for text_key in (*_TEXTS, "text") if context.card is card else ():
        text = getattr(card, text_key, None)
        for claim in claims_of(text).claims if text else ():
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
    "siege-hits": ("beyond long range, only critical hits deal damage", "write a longer range below siege"),
    "rounding": ("what is left of halved damage is rounded up", "write 'rounded up'"),
    "own-target": ("no disk is the target of its own ranged attack", "write the damage as an ability"),
    "pin-move": ("the tracker lets no effect move a disk onto an enemy of it", "leave it out"),
    "two-tokens": ("a disk has one empowerment token at most", "leave it out"),
    "hero-reserve": ("every hero is deployed, or reinforces in round 1", "let it be a unit"),
    "impact-arriving": ("impact follows flips, not the deployment or reinforcement", "write the damage as an ability"),
    "dangerous-deployed": (
        "terrain is dangerous after flips and reinforcements, not at the deployment",
        "leave it out",
    ),
}


def ruled_out(card: Card, context: CheckContext) -> Findings:
    """Yield what texts say that a rule of the game rules out."""
    for text_key, claim in _facts(card, context):
        if found := _RULED_OUT.get(claim.meaning.get("against")):
            yield Finding(found[0], (text_key,), found[1], text_range=(claim.start, claim.end))
    for text_key in (
        (*_TEXTS, "objective", "text") if context.card is card and not getattr(card, "special", False) else ()
    ):
        for number, *place in GRAMMAR.occurrences("round", getattr(card, text_key, None) or ""):
            if isinstance(number, int) and number > _ROUNDS:
                advice = "name an earlier round, or write a 'special' scenario"
                yield Finding(
                    f"a game ends after {_ROUNDS} rounds", (text_key,), advice, text_range=(place[0], place[1])
                )


# What a keyword rules out: the key of a clause, the keyword, and what it does.
_OPPOSITES = {
    "strikes_one": ("frenzy", "it attacks every enemy that it pins"),
    "stops": ("relentless", "it need not stop the first time that it pins an enemy"),
    "is_bound": ("flying", "it ignores disks and terrain while it moves"),
    "has_no_scout_move": ("scout", "it makes a free move before round 1"),
}


def against_own_keyword(card: Card, context: CheckContext) -> Findings:
    """Yield what a text says that a keyword of its card rules out."""
    for text_key, claim in _facts(card, context):
        for key, _ in claim.meaning:
            keyword, does = _OPPOSITES.get(key, ("", ""))
            if keyword in getattr(card, "keywords", ()):
                advice = f"remove {keyword}, or change the text"
                yield Finding(f"{keyword}: {does}", (text_key,), advice, text_range=(claim.start, claim.end))


def too_many_points(card: Card, context: CheckContext) -> Findings:
    """Yield the victory points of an objective that exceed those of its card."""
    points, text = getattr(card, "points", None), getattr(card, "objective", None)
    for said, *place in GRAMMAR.occurrences("score", text) if context.card is card and text and points else ():
        if isinstance(said, int) and said > int(points or 0):
            message = f"it scores {said} VP, but the card gives {points} at most"
            yield Finding(message, ("objective",), "change one of them", text_range=(place[0], place[1]))
