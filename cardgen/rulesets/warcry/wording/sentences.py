"""Sentences for changes: phrases, the moment, the dice, and the condition, then what happens, and for how long."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from cardgen.game import APOSTROPHE, Features, Meaning, Model, Series, join_words, printed_text
from cardgen.rulesets.warcry.changes import DEEDS, DETAILS, FIGHTER_NUMBERS, WEAPON_NUMBERS, Change, with_facts
from cardgen.rulesets.warcry.limits import GLOSSARY, name_of
from cardgen.rulesets.warcry.selections import (
    CONDITION_STATES,
    GROUP_STATES,
    LAST_ROUND,
    LATER_ROUNDS,
    OTHER_COMPARISONS,
    Condition,
    Group,
    Loan,
    Moment,
    Place,
    SetChange,
)
from cardgen.rulesets.warcry.wording.values import GRAMMAR, Data
from cardgen.rulesets.warcry.words import EVENTS, Deed, Fact, Phrase, Position

# Keys of groups that say more about another key.
DETAILS_OF = {key: [name for name, state in GROUP_STATES.items() if state.detail_of == key] for key in GROUP_STATES}
SELF, IT = "self", "it"
FIRST = {
    True: " for the next time",
    "round": " for the first time in a battle round",
    "battle": " for the first time in the battle",
}
# Verbs of what is said of several fighters: 'your fighters that have made a move action'.
PLURAL_VERBS = {
    "has": "have", "is": "are", "carries": "carry", "leads its warband": "lead their warband", "costs": "cost",
}  # fmt: skip
_VERB = re.compile(rf"\bthat ({'|'.join(PLURAL_VERBS)})\b")
_DICE = re.compile(r"(?P<dice>\d?d\d+)(?:\+(?P<plus>\w+))?")


def write(symbol: str, meaning: Meaning, style: str = "", /, **words: str) -> str:
    """Return the canonical words of a meaning; those of its slots may be given."""
    return GRAMMAR.write(symbol, meaning, words, style)


def features(data: Mapping[str, Any]) -> Features:
    """Return plain data as features."""
    return Features(sorted((key, _meaning(value)) for key, value in data.items()))


def _meaning(value: Any) -> Meaning:
    if isinstance(value, Mapping):
        return features(value)
    return Series(map(_meaning, value)) if isinstance(value, tuple | list) else value


def given(model: Model) -> dict[str, Any]:
    """Return the keys of a model that are not at their defaults, in their order."""
    values = ((name, getattr(model, name), info.default) for name, info in type(model).model_fields.items())
    return {name: value for name, value, default in values if value != default}


def amount_meaning(amount: int | str) -> Meaning:
    """Return the meaning of an amount: dice are features."""
    if isinstance(amount, str) and amount.startswith("value+"):
        return features({"base": "value", "plus": int(amount.removeprefix("value+"))})
    match = _DICE.fullmatch(amount) if isinstance(amount, str) else None
    if match is None:
        return amount
    plus = match["plus"]
    bonus = {"plus": int(plus) if plus.isdigit() else plus} if plus else {}
    return features({"die": match["dice"].upper(), **bonus})


def faces_phrase(faces: str) -> str:
    """Return 'a 4+', 'a 3 to 5', or 'a 6'."""
    low, sign, high = re.findall(r"(\d+)([+-]?)(\d*)", faces)[0]
    data = {"plus": int(low)} if sign == "+" else {"from": int(low), "to": int(high)} if sign else {"exact": int(low)}
    phrase = write("faces", features(data))
    return f"an{phrase[1:]}" if low in ("8", "11") else phrase


def party_phrase(of: str | Group) -> str:
    """Return 'that fighter', or 'each visible enemy within 6"'."""
    return each_phrase(of) if isinstance(of, Group) else write("party", of)


def each_phrase(group: Group) -> str:
    """Return 'each visible enemy within 6"'."""
    return write("each", "", g=_noun_phrase("noun", group))


def one_phrase(group: Group) -> str:
    """Return 'visible enemy within 6"'."""
    return _noun_phrase("noun", group)


def loan_phrase(loan: Loan) -> str:
    """Return '*Bite* without spending ability dice'."""
    words = {"a": f"*{loan.ability}*", **({"m": name_of(loan.runemark)} if loan.runemark else {})}
    return write("loan", features(given(loan)), **words)


def set_phrase(change: SetChange, symbol: str = "sets") -> str:
    """Return 'pick one of your doubles, triples, or quads and change its value to 6', or end as 'rolled_set' does."""
    return write(symbol, features(given(change)))


def many_phrase(group: Group) -> str:
    """Return 'visible enemies within 6"'."""
    return _noun_phrase("nouns", group)


def pick_phrase(group: Group) -> str:
    """Return 'a visible enemy within 6"', or 'up to 2 other friendly fighters'."""
    if group.each_group:
        if group.each_group == "one":
            return f"one {one_phrase(group)} of each of your battle groups on the battlefield"
        return f"all {many_phrase(group)} of one of your battle groups that is not in reserve"
    if group.count > 1 or group.up_to:
        number = f"up to {group.count}" if group.up_to else str(group.count)
        noun = many_phrase(group)
        return f"{number} {'of ' if noun.startswith('your ') else ''}{noun}"
    noun = _noun_phrase("noun", group)
    if group.nearest:
        return f"the closest {noun}"
    if noun.startswith("other "):
        return f"an{noun}"
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _noun_phrase(symbol: str, group: Group) -> str:
    data = {"side": group.side, **({"another": True} if group.another else {})}
    if group.visible and group.side == "friend" and (symbol == "nouns" or group.another):
        text = " ".join((write(symbol, features({**data, "visible": True})), *_posts(group)))
    else:
        posts = (" or " if group.one_of else " ").join(_posts(group))
        text = f"{'visible ' if group.visible else ''}{write(symbol, features(data))} {posts}".rstrip()
    return _VERB.sub(lambda match: f"that {PLURAL_VERBS[match[1]]}", text) if symbol == "nouns" else text


def _posts(group: Group) -> Iterator[str]:
    values = given(group)
    for key, value in values.items():
        if key == "runemarks":
            yield f"with the {' and '.join(map(name_of, value))} runemark{'' if len(value) == 1 else 's'}"
        elif key == "any_runemarks":
            yield f"with {marks_phrase(value)}"
        elif GROUP_STATES[key].position is Position.AFTER:
            details = {name: values[name] for name in DETAILS_OF.get(key, ()) if name in values and value != "value"}
            names = {"m": name_of(details["to_mark"])} if "to_mark" in details else {}
            yield write("post", features({key: value, **details}), **_inches_words(key, value), **names)


def condition_phrase(condition: Condition, who: str = "this fighter") -> str:
    """Return 'it is within 1" of an enemy and it is in cover'."""
    states = given(condition)
    who = write("party", condition.of) if states.pop("of", SELF) != SELF else who
    details = CONDITION_STATES.where(lambda state: state.detail_of)
    more = {name: states.pop(name) for name in details if name in states}
    link = " or " if states.pop("one_of", False) else " and "
    return link.join(_state_phrase(key, value, who, more) for key, value in states.items())


def place_phrase(place: Place) -> str:
    """Return 'wholly within 3" of a battlefield edge and more than 6" from every enemy'."""
    wholly = dict.fromkeys(("near", "edge"), {"wholly": True} if place.wholly else {})
    said = {key: value for key, value in given(place).items() if key != "wholly"}
    words = [write("place", features({key: by, **wholly.get(key, {})}), n=f'{by}"') for key, by in said.items()]
    return join_words(words, "and", serial_comma=False)


def marks_phrase(marks: Iterable[str]) -> str:
    """Return 'the Brute or Agile runemark'."""
    return f"the {join_words([name_of(mark) for mark in marks], 'or', serial_comma=False)} runemark"


def _state_phrase(key: str, value: Any, who: str, details: Mapping[str, Any]) -> str:
    if key == "rounds":
        return write("state", features({key: ""}), r=rounds_phrase(value))
    if key == "runemarks":
        return write("state", features({key: "", "who": [""]}), w=who, m=marks_phrase(value))
    if key in ("uses", "uses_mark", "targets", "any_called", "enemy_mark"):
        return write("state", features({key: ""}), n=f"*{value}*", m=name_of(value))
    named = {} if CONDITION_STATES[key].is_of_nobody else {"who": [""]}
    more = {name: value for name, value in details.items() if CONDITION_STATES[name].detail_of == key}
    return write("state", features({key: value, **named, **more}), w=who, **_inches_words(key, value))


def _inches_words(key: str, value: Any) -> dict[str, str]:
    return (
        {"n": f'{value}"'} if key.endswith("within") or key in ("beyond", "dropped", "ended_near", "together") else {}
    )


def rounds_phrase(rounds: Iterable[int]) -> str:
    """Return 'battle round 2, 3 or 4', or 'battle round 2 or later'."""
    rounds = [*rounds]
    if rounds == [*range(rounds[0], LAST_ROUND + 1)] and rounds[0] in LATER_ROUNDS:
        return f"battle round {rounds[0]} or later"
    return f"battle round {join_words([str(each) for each in rounds], serial_comma=False)}"


def moment_phrase(moment: Moment) -> str:
    """Return 'when a melee attack targets this fighter, before the hit rolls'."""
    keys = EVENTS[moment.event].keys.split()
    always: dict[str, Any] = {key: getattr(moment, key) for key in ("attack", "of", "enemy") if key in keys}
    data: dict[str, Any] = {**always, **given(moment), "event": moment.event}
    words: dict[str, str] = _inches_words("within", moment.within) if moment.within else {}
    if isinstance(moment.of, Group):
        words["s"], data["of"] = f"one of {many_phrase(moment.of)}", ""
    if moment.uses:
        words["n"], data["uses"] = f"*{moment.uses}*", ""
    if moment.rounds:
        words["r"], data["rounds"] = rounds_phrase(moment.rounds), ""
    if moment.event == "taken-down" and moment.enemy is None:
        del data["enemy"]
    if "enemy" in data:
        words["e"], data["enemy"] = (pick_phrase(moment.enemy) if moment.enemy else "an enemy"), ""
    often = "" if moment.event == "move" else FIRST.get(data.pop("first", False), "")
    return f"{write('moment', features(data), **words)}{often}"


def clause(kind: str, slots: str = "", style: str = "", /, **values: Any) -> str:
    """Return the words of a clause.

    `slots` are the keys whose words are given, as `p=…`; the other values belong to the meaning.
    """
    words = {key: value for key, value in values.items() if len(key) == 1}
    data = {key: value for key, value in values.items() if len(key) > 1}
    return write("part", features({"kind": kind, **dict.fromkeys(slots.split(), ""), **data}), style, **words)


def ends_phrase(change: Change) -> Iterator[str]:
    """Yield how often, the lowest result, and how long it lasts."""
    yield per_phrase(change)
    if change.at_least is not None:
        yield f" {write('lowest', features({'at_least': change.at_least}))}"
    if change.next == "move":
        yield f" {clause('next', next='move')}"
    if change.during:
        yield f" while {condition_phrase(change.during)}"
    if change.span == "activation" and change.of != SELF:
        yield " until the end of this activation"
    elif change.span:
        yield f" {_until(change.span, IT)}"
    if change.is_of_those_now:
        yield f", {clause('as_of_now')}"


def _until(span: str, whose: str = "") -> str:
    """Return how long something lasts; an activation can be that of the fighter that a sentence is about."""
    if span == "activation" and whose:
        return clause("until", "whose", p=write("owner", whose), **{"for": span})
    return clause("until", **{"for": span})


def per_phrase(change: Change) -> str:
    """Return ' for each of your fighters within 1"', or ''."""
    if change.per is None:
        return ""
    if isinstance(change.per, Group):
        return f" {clause('per', 'per', g=one_phrase(change.per))}"
    several = {"points": change.per_points} if change.per_points > 1 and change.per in ("dealt", "healed") else {}
    return f" {clause('per', per=change.per, **several)}"


def attacks_phrase(change: Change) -> str:
    """Return 'this fighter's next melee attack against enemies with at least 15 Wounds'."""
    data: dict[str, Any] = {"weapon": change.weapon, "of": ""}
    is_group, of = isinstance(change.of, Group), change.of
    owner = many_phrase(of) if isinstance(of, Group) else write("owner", of)
    if change.incoming:
        data |= {"incoming": True}
        owner = many_phrase(of) if isinstance(of, Group) else write("party", of)
    elif change.next == "attack":
        data |= {"next": "attack"}
        owner = party_phrase(of) if is_group else owner
    posts = [write("attack_post", features({"reach": change.reach}))] if change.reach else []
    if change.beyond:
        posts.append(write("attack_post", features({"beyond": change.beyond}), n=f'{change.beyond}"'))
    if change.target:
        target = change.target
        posts.append(f"against {many_phrase(target) if isinstance(target, Group) else write('party', target)}")
    return " ".join((write("attacks", features(data), "group" if is_group else "", p=owner), *posts))


# Groups of characteristics that one sentence can change.
TOGETHER = (FIGHTER_NUMBERS, WEAPON_NUMBERS)


def deeds_of(change: Change) -> Iterator[str]:
    """Yield what happens besides changes of numbers, in the order of the places of its deeds."""
    who = party_phrase(change.of)
    for deed in _IN_ORDER:
        if getattr(change, deed.name):
            yield from _write(change, deed, who)


def _write(change: Change, deed: Deed, who: str) -> Iterator[str]:
    """Yield the clause of a deed of a change, with what says more about it."""
    name, value, ends = deed.name, getattr(change, deed.name), "".join(ends_phrase(change))
    may = {"may": True} if change.may else {}
    match deed.says:
        case Phrase.POINTS:
            words = write("damage", amount_meaning(value))
            yield f"{clause(name, f'of {name}', p=who, n=words, **(may if name == 'heal' else {}))}{per_phrase(change)}"
        case Phrase.ACTION:
            yield from _bonus(change, name, who, may)
        case Phrase.MULTIPLE:
            yield from _multiples(change, name, who, ends)
        case Phrase.ATTACKS:
            of = change.model_copy(update={"weapon": value}) if name == "no_cover" else change
            said = {} if name == "no_cover" else {name: value}
            style = "next" if change.next and name in _OF_ONE_ATTACK else ""
            yield f"{clause(name, 'attacks', style, t=attacks_phrase(of), **said)}{ends}"
        case Phrase.VALUE | Phrase.STATE:
            said = {name: value} if deed.says is Phrase.VALUE else {}
            yield f"{clause(name, '' if name == 'turns' else 'of', p=who, **said)}{ends}"
        case Phrase.FATE:
            slots = "" if name == "swap_places" and change.of == SELF else "of"
            yield clause(name, slots, p=who, **(may if name == "becomes_target" else {}))
        case Phrase.MARKS:
            names = join_words([f"*{each}*" for each in value], "or", serial_comma=False)
            yield clause(name, name, **({"s": names} if name == "spares" else {"m": marks_phrase(value)}))
        case Phrase.WARBAND:
            yield f"{clause(name, **{name: value})}{ends if name in _WITH_ENDS else ''}"
        case _ if name in _SAID:
            slot, letter, words_of = _SAID[name]
            told = {letter: words_of(value), **(may if name == "set_up" else {})}
            yield f"{clause(name, f'of {slot}', p=who, **told)}{ends if deed.facts & Fact.ENDS else ''}"
        case _:
            yield f"{_OTHERS[name](change, who, may)}{ends if deed.facts & Fact.ENDS else ''}"


# Clauses whose verb is another one for a single attack.
_OF_ONE_ATTACK = ("critical_face", "half_damage")
# What a warband has for as long as something is true.
_WITH_ENDS = ("impact", "raise_value", "adds_to_roll")


def _bonus(change: Change, name: str, who: str, may: Data) -> Iterator[str]:
    """Yield a bonus action; if only one of several is made, they are one phrase, that of the first."""
    given = [each for each in _BONUS if getattr(change, each) not in (None, False)]
    if change.either and name != given[0]:
        return
    words = " or ".join(_action_phrase(change, each) for each in (given if change.either else [name]))
    flags = [flag for flag in ("engaged", "unanswered") if getattr(change, flag)]
    more = [f" {clause('of_bonus', flag=flag)}" for flag in flags if flag != "engaged" or "move" in words]
    yield "".join((clause("bonus", "of action", p=who, b=words, **may), *([" twice"] if change.twice else []), *more))


def _action_phrase(change: Change, name: str) -> str:
    if name == "bonus_move":
        assert change.bonus_move is not None
        data = {name: change.bonus_move, **({"closer": True} if change.closer else {})}
        return write("action", features(data), n=_distance(change.bonus_move))
    target = f" against {write('party', change.against)}" if name == "bonus_attack" and change.against else ""
    return f"{write('action', features({name: getattr(change, name)}))}{target}"


def _multiples(change: Change, name: str, who: str, ends: str) -> Iterator[str]:
    """Yield clauses for the halved, doubled, or fixed characteristics of the fighter, and of its weapons."""
    for names in TOGETHER:
        stats = [write("stat", each) for each in getattr(change, name) if each in names]
        words = join_words(stats, "and", serial_comma=False) if stats else ""
        comma = "," if ends and name == "halve" else ""
        more = {"fixed_at": change.fixed_at} if name == "fixes" else {}
        if words and names is WEAPON_NUMBERS:
            yield f"{clause(name, 'attacks change', t=attacks_phrase(change), s=words, **more)}{comma}{ends}"
        elif words:
            yield f"{clause(name, 'of change', p=who, s=words, **more)}{comma}{ends}"


def _shift(change: Change, who: str, may: Data) -> str:
    end = "-picked" if change.of == SELF and change.direction != "any" else ""
    exact = {"exact": True, **may} if change.exact else {}
    far = _distance(change.shift or 0)
    return clause("shift", "of shift", direction=f"{change.direction}{end}", p=who, n=far, **exact)


def _sets(change: Change, who: str, may: Data) -> str:
    assert change.sets
    kind = "rolled_set" if change.of == "rolled" else "sets"
    owner = {"p": write("owner", change.of)} if change.sets.lift and isinstance(change.of, str) else {}
    return clause(kind, "of sets" if owner else "sets", s=set_phrase(change.sets, kind), **owner, **may)


def _save_wild(change: Change, who: str, may: Data) -> str:
    whose = {"of": change.of} if change.of == "attacker" else {}
    return f"{clause('save_wild', save_wild=change.save_wild, **may, **whose)}{per_phrase(change)}"


_OTHERS = {"shift": _shift, "sets": _sets, "save_wild": _save_wild}
# What is said of a fighter in words that the value gives: their slot in the clause, and the words.
_SAID: Mapping[str, tuple[str, str, Callable[[Any], str]]] = {
    "adds_mark": ("adds_mark", "m", name_of),
    "cannot": ("ban", "b", lambda bans: join_words([write("ban", ban) for ban in bans], "or", serial_comma=False)),
    "set_up": ("set_up", "l", place_phrase),
    "lends": ("lends", "l", loan_phrase),
    "called": ("called", "n", lambda name: f"*{name}*"),
}
DEEDS.require_all({*_OTHERS, *_SAID}, lambda deed: deed.says is Phrase.OTHER)
_IN_ORDER = sorted((deed for deed in DEEDS.values() if deed.says is not Phrase.NUMBER), key=lambda deed: deed.place)
_BONUS = with_facts(Fact.BONUS)


def _distance(amount: int | str) -> str:
    if amount == "rolled":
        return "that many inches"
    if isinstance(amount, str) and amount.endswith("value"):
        return f"{write('amount', amount_meaning(amount))} in inches"
    return f'{write("amount", amount_meaning(amount))}"' if amount != "move" else ""


ROLLED_FOR = {
    "picked": "each of them",
    "sets": "each of your doubles, triples, and quads",
    "hits": "each hit",
    "criticals": "each critical hit",
    "misses": "each miss",
    "tokens": "each token",
}
HIT_STATS = ("damage", "critical")
# Groups of characteristics that one sentence can change as a multiple of the value.
TOGETHER_IN_MULTIPLES = (FIGHTER_NUMBERS, ("range", "attacks", "strength"), HIT_STATS)
# The picked fighter where several were picked; what belongs to it, or lies near it, is never said of several.
_THAT_FIGHTER = re.compile(
    r"""(?<!" of )(?<!against )(?<!away from )(?<!toward )(?<!target )\b([Tt])hat fighter(?=[ .,])"""
)
_ATTACKS_OF_ONE = re.compile(rf"\b([Tt])hat fighter{APOSTROPHE}s(?= (?:next )?(?:melee |missile )?attacks?\b)")


def statements(changes: Iterable[Change]) -> list[str]:
    """Return a sentence for each thing that changes say, so that those that say the same have the same sentences."""
    texts: list[str] = []
    dice: int | str = 1
    for change in changes:
        after = _dice_after(change, dice)
        for atom in _atoms(change):
            texts += sentences_of(atom, dice if atom.pick or atom.roll or atom.roll_each else after)
        dice = after
    return texts


# What says nothing about the other deeds of a change.
_ALONE = (("only_if",), ("not_if",), ("reacts",))
_PREPARATIONS = (("pick",), ("roll",), ("roll_each", "dice_each"))


def _atoms(change: Change) -> Iterator[Change]:
    """Yield changes for one deed each; only the first has the moment, and what is optional by the rules may be."""
    fields = type(change).model_fields
    own = {name for name, info in fields.items() if getattr(change, name) != info.default}
    deeds = [(name,) for name in DEEDS if name in own and name not in _BONUS] + [_BONUS] * bool(own & {*_BONUS})
    frame = own - {*DEEDS} - {name for names in (*_ALONE, *_PREPARATIONS) for name in names}
    frame -= {"may"} if deeds == [_BONUS] and not change.pick else set()
    for names in (*_ALONE, *_PREPARATIONS, *deeds):
        if not own & {*names}:
            continue
        kept = {*names} if names in _ALONE else {*names} | frame
        kept -= {"condition", "unless", "on_roll"} if names in _PREPARATIONS and deeds else set()
        kept -= {"during", "at_least"} if names == ("impact",) else set()  # Those of all modifiers of impact damage.
        yield change.model_copy(update={name: fields[name].default for name in own - kept})
        frame -= {"when"} if names not in _ALONE else set()


# The moment of a rule that is used once per battle, which is no longer one of each battle round.
_EACH_ROUND = re.compile(r"\b([Aa]t the (?:start|end) of) every battle round")
_CONDITION = re.compile(r"\b(?:if|unless|while)\b.*", re.DOTALL)


def sentences(changes: tuple[Change, ...], dice: int | str = 1, *, picks_several: bool = False) -> tuple[str, ...]:
    """Return the sentences for each change as one text; different changes never read the same.

    `dice` is the number of dice that were rolled before, and `picks_several` says whether several fighters were picked.
    """
    texts: list[str] = []
    is_rare = False
    for change in changes:
        picks_several = change.pick.count > 1 if change.pick else picks_several
        text = " ".join(sentences_of(change, dice))
        is_rare = is_rare or bool(change.only_if and change.only_if.once == "battle")
        text = _EACH_ROUND.sub(r"\1 a battle round", text) if is_rare else text
        texts.append(_of_each(text) if picks_several else text)
        dice = _dice_after(change, dice)
    return tuple(texts)


def _of_each(text: str) -> str:
    """Return a text about the picked fighters, of which there are several: each of them is meant by 'that fighter'.

    A condition of one of them says 'that fighter' of the one that it is true for.
    """
    conditions = (match[0] for part in text.lower().split(",") if (match := _CONDITION.search(part)))
    if any("that fighter" in condition for condition in conditions):
        return text
    text = text.replace("target that fighter", "target those fighters")
    text = _ATTACKS_OF_ONE.sub(lambda match: f"{'Those' if match[1] == 'T' else 'those'} fighters{APOSTROPHE}", text)
    return _THAT_FIGHTER.sub(lambda match: f"{'Each' if match[1] == 'T' else 'each'} of those fighters", text)


def idle_keys(change: Change) -> tuple[str, ...]:
    """Return the names of the fields of a change that its sentences do not mention, such as the `while` of a move."""
    written = tuple(sentences_of(change))
    defaults = {name: type(change).model_fields[name].default for name in DETAILS}
    return tuple(
        name
        for name, default in defaults.items()
        if getattr(change, name) != default
        and tuple(sentences_of(change.model_copy(update={name: default}))) == written
    )


def _dice_after(change: Change, before: int | str) -> int | str:
    """Return the number of dice that were rolled last, for each fighter if for several."""
    return change.roll or (change.dice_each if change.roll_each else before)


def sentences_of(change: Change, dice: int | str = 1) -> Iterator[str]:
    """Yield the sentences for a change; `dice` is the number of dice that were rolled before."""
    for parts in _sentences(change, _dice_after(change, dice)):
        text = ", ".join(parts).replace("'", APOSTROPHE)
        yield f"{text[0].upper()}{text[1:]}."


def _sentences(change: Change, dice: int | str) -> Iterator[tuple[str, ...]]:
    """Yield the parts of each sentence; the first that happens names the moment."""
    if change.only_if:
        states = given(change.only_if)
        how_often = {"o": write("once", features(states))} if states.keys() <= {"once", "by_fighter"} else {}
        yield (clause("only_if", "is", **(how_often or {"c": condition_phrase(change.only_if, "it")})),)
    if change.not_if:
        yield (clause("not_if", "is", c=condition_phrase(change.not_if, "it")),)
    if change.reacts:
        yield (clause("reacts", "is", m=moment_phrase(change.reacts)),)
    moment = (moment_phrase(change.when),) if change.when else ()
    on_roll = _faces_condition(change, dice) if change.on_roll else ""
    now = " now" if change.is_checked_once else ""
    condition = f"if {condition_phrase(change.condition)}{now}" if change.condition else ""
    unless = f"unless {condition_phrase(change.unless)}{now}" if change.unless else ""
    conditions, happenings = tuple(filter(None, (on_roll, condition, unless))), [*_consequences(change)]
    if picks := [*_picks(change)]:
        may = "you may " if change.may else ""
        yield (
            *(() if happenings or not moment else _unsaid_end(change, [])),
            *moment,
            *(() if happenings else conditions),
            f"{may}{join_words(picks, 'and', serial_comma=False)}",
        )
        moment = ()
    end = _unsaid_end(change, happenings) if moment else ()
    for words in happenings:
        yield (*end, *moment, *conditions, words)
        moment = end = ()


def _unsaid_end(change: Change, happenings: list[str]) -> tuple[str, ...]:
    """Return how long a moment matters, if what happens then does not say so."""
    if not change.span:
        return ()
    ends = [_until(change.span, whose) for whose in ("", IT)]
    return () if any(words.endswith(tuple(ends)) for words in happenings) else (ends[0],)


def _picks(change: Change) -> Iterator[str]:
    if change.pick:
        yield f"pick {pick_phrase(change.pick)}"
    if change.roll:
        yield f"roll {write('dice_count', change.roll)}"
    if change.roll_each:
        whom = f"each of your *{change.token}* tokens on the battlefield" if change.token else ""
        each = change.roll_each
        whom = whom or (each_phrase(each) if isinstance(each, Group) else ROLLED_FOR[each])
        yield f"roll {write('dice_count', change.dice_each)} for {whom}"


def _faces_condition(change: Change, dice: int | str) -> str:
    """Return 'on a 4+', or 'for each roll of 4+' for several dice."""
    faces = change.on_roll or ""
    each = {} if dice in (1, "2d6") else {"each": True}
    if faces in OTHER_COMPARISONS and faces.endswith("value"):
        return clause("on_roll", compare=faces, **each)
    if faces in OTHER_COMPARISONS:
        owner = write("owner", "each" if isinstance(change.of, Group) else change.of)
        return clause("on_roll", "whose", compare=faces, p=owner, **each)
    phrase = faces_phrase(faces)
    return f"on {phrase}" if dice in (1, "2d6") else f"for each roll of {phrase.partition(' ')[2]}"


def _consequences(change: Change) -> Iterator[str]:
    for names in TOGETHER_IN_MULTIPLES if change.times else TOGETHER:
        if changed := change.nonzero(names):
            words = _multiple(change, changed) if change.times else _signed(change, changed)
            yield "".join((words, *ends_phrase(change)))
    yield from deeds_of(change)


def _signed(change: Change, changed: tuple[tuple[str, int], ...]) -> str:
    """Return 'this fighter has +1 Move', or 'its melee attacks have +1 Attacks and +1 Strength'."""
    stats = [write("signed_stats", features({"stats": [name], "numbers": [by]})) for name, by in changed]
    words = join_words(stats, "and", serial_comma=False)
    if changed[0][0] in WEAPON_NUMBERS:
        if change.weapon.startswith("one"):
            return clause("stats", "change", of=SELF, weapon=change.weapon, s=words)
        return clause("stats", "attacks change", "next" if change.next else "", t=attacks_phrase(change), s=words)
    if change.incoming:
        against: dict[str, Any] = {"weapon": change.weapon, "incoming": True}
        return clause("stats", "of change", p=party_phrase(change.of), s=words, **against)
    return clause("stats", "of change", p=party_phrase(change.of), s=words)


def _multiple(change: Change, changed: tuple[tuple[str, int], ...]) -> str:
    """Return 'add the value of this ability to the Strength of this fighter's melee attacks'."""
    is_hit = changed[0][0] in HIT_STATS
    names = [write("hits" if is_hit else "stat", name) for name, _ in changed]
    kind = "add" if changed[0][1] > 0 else "subtract"
    comma = "," if change.times == "half-value" else ""
    words = {"n": f"{write('amount', change.times)}{comma}", "s": join_words(names, "and", serial_comma=False)}
    if changed[0][0] in FIGHTER_NUMBERS:
        return clause(kind, "by of change", p=party_phrase(change.of), **words)
    return clause(kind, "by attacks change", "hits" if is_hit else "", t=attacks_phrase(change), **words)


def describe(thing: Model) -> str:
    """Return the markup text of a card or rule, or ''."""
    return printed_text(thing, lambda each: sentences(getattr(each, "changes", ())), GLOSSARY)


def once_label(thing: Model) -> str:
    """Return the limit on uses, such as 'Once per battle', or ''."""
    return {"round": "Once per battle round", "battle": "Once per battle"}.get(getattr(thing, "once", None) or "", "")
