"""Phrases for fighters, conditions, moments, and amounts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cardgen.game import Features, Meaning, Model, Series, join_words
from cardgen.rulesets.warcry.moments import MOMENT_KEYS, Moment
from cardgen.rulesets.warcry.selections import Condition, Group, Loan, Place, SetChange
from cardgen.rulesets.warcry.settings import name_of
from cardgen.rulesets.warcry.wording.table import GRAMMAR

# What a noun says with an adjective; everything else comes after it.
BEFORE_NOUN = ("visible", "another", "nearest")
MEASURES = ("aura", "whole", "to", "to_count", "to_mark")
# Keys that say more about another key.
DETAILS = {"within": MEASURES, "objective_within": ("wholly",)}
# Keys of a condition that say more about another, and those about nobody in particular.
STATE_DETAILS = {"wholly": "objective_within", "friends": "friend_within", "enemies": "enemy_within"}
NOBODY_NAMED = (
    "half_down", "more_down", "more_objectives", "outnumbered", "initiative", "ones", "misses", "once", "present",
    "least_value", "felled",
)  # fmt: skip
SELF = "self"
FIRST = {
    True: " for the next time",
    "round": " for the first time in a battle round",
    "battle": " for the first time in the battle",
}
NOT_AFTER_NOUN = ("side", *BEFORE_NOUN, *MEASURES, "wholly", "count", "up_to")
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
    text = _noun_of_one(symbol, group)
    return _VERB.sub(lambda match: f"that {PLURAL_VERBS[match[1]]}", text) if symbol == "nouns" else text


def _noun_of_one(symbol: str, group: Group) -> str:
    data = {"side": group.side, **({"another": True} if group.another else {})}
    if group.visible and group.side == "friend" and (symbol == "nouns" or group.another):
        return " ".join((write(symbol, features({**data, "visible": True})), *_posts(group)))
    noun = write(symbol, features(data))
    return " ".join((f"visible {noun}" if group.visible else noun, *_posts(group)))


def _posts(group: Group) -> Iterator[str]:
    values = given(group)
    for key, value in values.items():
        if key == "runemarks":
            yield f"with the {' and '.join(map(name_of, value))} runemark{'' if len(value) == 1 else 's'}"
        elif key == "any_runemarks":
            yield f"with {marks_phrase(value)}"
        elif key not in NOT_AFTER_NOUN:
            details = {name: values[name] for name in DETAILS.get(key, ()) if name in values and value != "value"}
            names = {"m": name_of(details["to_mark"])} if "to_mark" in details else {}
            yield write("post", features({key: value, **details}), **_inches_words(key, value), **names)


def condition_phrase(condition: Condition, who: str = "this fighter") -> str:
    """Return 'it is within 1" of an enemy and it is in cover'."""
    states = given(condition)
    who = write("party", condition.of) if states.pop("of", SELF) != SELF else who
    details = {name: states.pop(name) for name in STATE_DETAILS if name in states}
    return " and ".join(_state_phrase(key, value, who, details) for key, value in states.items())


def place_phrase(place: Place) -> str:
    """Return 'wholly within 3" of a battlefield edge and more than 6" from every enemy'."""
    return join_words([*_places(place)], "and", serial_comma=False)


def _places(place: Place) -> Iterator[str]:
    for key, value in given(place).items():
        if key == "wholly":
            continue
        wholly = {"wholly": True} if place.wholly and key in ("near", "edge") else {}
        yield write("place", features({key: value, **wholly}), n=f'{value}"')


def marks_phrase(marks: Iterable[str]) -> str:
    """Return 'the Brute or Agile runemark'."""
    return f"the {join_words([name_of(mark) for mark in marks], 'or', serial_comma=False)} runemark"


def _state_phrase(key: str, value: Any, who: str, details: Mapping[str, Any]) -> str:
    if key == "rounds":
        return write("state", features({key: ""}), r=rounds_phrase(value))
    if key == "runemarks":
        return write("state", features({key: "", "who": [""]}), w=who, m=marks_phrase(value))
    named = {} if key in NOBODY_NAMED else {"who": [""]}
    more = {name: details[name] for name, of in STATE_DETAILS.items() if of == key and name in details}
    return write("state", features({key: value, **named, **more}), w=who, **_inches_words(key, value))


def _inches_words(key: str, value: Any) -> dict[str, str]:
    return {"n": f'{value}"'} if key.endswith("within") or key == "beyond" else {}


def rounds_phrase(rounds: Iterable[int]) -> str:
    """Return 'battle round 2, 3 or 4'."""
    return f"battle round {join_words([str(each) for each in rounds], serial_comma=False)}"


def moment_phrase(moment: Moment) -> str:
    """Return 'when a melee attack targets this fighter, before the hit rolls'."""
    keys = MOMENT_KEYS.get(moment.event, "").split()
    always: dict[str, Any] = {key: getattr(moment, key) for key in ("attack", "of", "enemy") if key in keys}
    data: dict[str, Any] = {**always, **given(moment), "event": moment.event}
    words: dict[str, str] = _inches_words("within", moment.within) if moment.within else {}
    if isinstance(moment.of, Group):
        words["s"], data["of"] = f"one of {many_phrase(moment.of)}", ""
    if moment.rounds:
        words["r"], data["rounds"] = rounds_phrase(moment.rounds), ""
    if moment.event == "taken-down" and moment.enemy is None:
        del data["enemy"]
    if "enemy" in data:
        words["e"], data["enemy"] = (pick_phrase(moment.enemy) if moment.enemy else "an enemy"), ""
    often = "" if moment.event == "move" else FIRST.get(data.pop("first", False), "")
    return f"{write('moment', features(data), **words)}{often}"
