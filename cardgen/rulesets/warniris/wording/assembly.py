"""What the clauses of a sentence mean together: an effect, or none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from cardgen.game import Features, Interpretation, Part, Token
from cardgen.rulesets.warniris.cards import Once
from cardgen.rulesets.warniris.effect import STRIKES, Effect, WeaponEffect
from cardgen.rulesets.warniris.wording.effects import Voice, effect_sentence

# Singular nouns that 'it' could mean, besides the bearer.
_RIVALS = frozenset({"target", "attacker", "enemy", "opponent", "friend", "minion", "character", "foe"})
_OWN = ("bearer", "friends")
_GROUPS = ("friends", "enemies")
_TRIGGER_KEYS = ("event", "at", "point", "last")
_TYPES_OF_VERB = {"weapon": ("CW", "RW"), "power": ("P",)}
_ANY_WEAPON = "any weapon"


class SentenceMeaning(NamedTuple):
    """The effects of a sentence, and how often it lets them be used; False if it does not say so."""

    effects: tuple[Effect, ...]
    once: Once = False


class _Outline(NamedTuple):
    """The clauses of a sentence by what they are about."""

    triggers: tuple[Features, ...]
    span_leads: bool
    facts: dict[str, Any]
    consequences: tuple[Features, ...]


class _ContradictionError(ValueError):
    """Clauses that no effect has together."""


def interpret(parts: tuple[Part, ...], tokens: tuple[Token, ...], voice: Voice) -> Iterator[Interpretation]:
    """Yield what the clauses of a sentence mean, if an effect can express it."""
    try:
        outline = _outline(parts, tokens, voice)
        if not outline.consequences:
            if outline.facts.keys() == {"once"} and not outline.triggers:
                yield Interpretation(SentenceMeaning((), outline.facts["once"]))
            return
        yield _meaning(outline, voice)
    except (_ContradictionError, ValidationError):
        return


def _outline(parts: tuple[Part, ...], tokens: tuple[Token, ...], voice: Voice) -> _Outline:
    triggers: list[Features] = []
    facts: dict[str, Any] = {}
    consequences: list[Features] = []
    span_leads = False
    for part in parts:
        meaning = part.meaning
        assert isinstance(meaning, Features)
        if meaning.get("do"):
            for each in _resolve_subjects(meaning.get("do"), tokens[: part.start], voice, is_first=not consequences):
                consequences.append(each)
                if each.get("event"):
                    triggers.append(_without(each, "who", "deeds"))
        elif any(key in _TRIGGER_KEYS for key, _ in meaning):
            triggers.append(meaning)
        else:
            for key, value in meaning:
                if facts.setdefault(key, value) is not value or (key in facts and facts[key] != value):
                    raise _ContradictionError
            if "span" in facts and not (triggers or consequences):
                span_leads = True
    return _Outline(tuple(triggers), span_leads and bool(triggers), facts, tuple(consequences))


def _without(features: Features, *keys: str) -> Features:
    return Features((key, value) for key, value in features if key not in keys)


def _resolve_subjects(
    consequences: Any, before: Sequence[Token], voice: Voice, *, is_first: bool
) -> Iterator[Features]:
    """Yield the consequences with the bearer for 'it', unless that could mean something else."""
    for each in consequences:
        if each.get("who") == "implied" and is_first:
            yield _for_bearer(each)
            continue
        if each.get("who") not in ("it", "implied"):
            yield each
            continue
        if each.get("who") == "implied":
            raise _ContradictionError
        words = {token.word for index, token in enumerate(before) if not index or before[index - 1].word != "this"}
        is_object = each.get("deeds").get("shifter") == "you" and not is_first
        if is_object or words & _RIVALS or (voice.attacker == "it" and "bearer" not in words):
            raise _ContradictionError
        yield _for_bearer(each)


def _for_bearer(consequence: Features) -> Features:
    return Features(sorted({**dict(consequence), "who": "bearer"}.items()))


def _meaning(outline: _Outline, voice: Voice) -> Interpretation:
    facts = outline.facts
    once = facts.get("once", voice.once)
    data, is_loose = _effect_data(outline, voice)
    model = WeaponEffect if voice.attacker == "it" else Effect
    effects = tuple(model.model_validate(each) for each in _by_weapon(data))
    sentence = effect_sentence(effects[0], voice._replace(once=once))
    if facts.get("offer") and not once:
        raise _ContradictionError
    adds_up = sentence.endswith("(cumulative).")
    if facts.get("adds_up") and not adds_up:
        raise _ContradictionError
    meaning = SentenceMeaning(effects, facts.get("once", False))
    return Interpretation(meaning, is_loose or len(effects) > 1 or (adds_up and not facts.get("adds_up")))


def _by_weapon(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the effect, or one for each type of weapon where the sentence is about Attacks, but not Channels."""
    condition = data.get("if", {})
    if condition.get("weapon") != _ANY_WEAPON:
        yield data
        return
    yield from ({**data, "if": {**condition, "weapon": kind}} for kind in _TYPES_OF_VERB["weapon"])


def _effect_data(outline: _Outline, voice: Voice) -> tuple[dict[str, Any], bool]:
    """Return the keys of the effect, and whether they are a loose reading."""
    facts = outline.facts
    when, during, active = _moments(outline, voice)
    span = facts.get("span")
    if bool(during) and not span:
        raise _ContradictionError
    data: dict[str, Any] = {"when": when}
    if span:
        data["for"] = span
    if during:
        data["while"] = during
    at_moment = during or when
    condition, is_loose = _condition(outline, at_moment, active, span if not during else None)
    if condition:
        data["if"] = condition
    for each in outline.consequences:
        who = each.get("who")
        if who in data:
            raise _ContradictionError
        data[str(who)] = _deeds(each.get("deeds"), str(who), is_point=at_moment == "damaged")
    if any(bool(each.get("deeds").get("last")) != bool(active.get("last")) for each in outline.consequences):
        raise _ContradictionError
    prevents = at_moment == "damaged" and "ignore" in data.get("bearer", {})
    if prevents != bool(active.get("point")):
        raise _ContradictionError
    return data, is_loose


def _moments(outline: _Outline, voice: Voice) -> tuple[str, str, Features]:
    """Return the moment when the effect starts, that when it applies or '', and the clause of the latter."""
    triggers = outline.triggers
    if len(triggers) + outline.span_leads > 2 or (triggers and outline.facts.get("constant")):
        raise _ContradictionError
    if outline.facts.get("constant") and not voice.constant:
        raise _ContradictionError
    if not triggers:
        return "always", "", Features()
    moments = [_moment(trigger, voice) for trigger in triggers]
    if outline.span_leads:
        return "always", moments[0], triggers[0]
    if len(triggers) == 2:
        if _without(triggers[0], *_TRIGGER_KEYS) or triggers[0].get("point"):
            raise _ContradictionError
        return moments[0], moments[1], triggers[1]
    return moments[0], "", triggers[0]


def _moment(trigger: Features, voice: Voice) -> str:
    if moment := trigger.get("at"):
        return str(moment)
    event, _, kind = str(trigger.get("event")).partition("-")
    if kind in _TYPES_OF_VERB and trigger.get("weapon", _TYPES_OF_VERB[kind][0]) not in _TYPES_OF_VERB[kind]:
        raise _ContradictionError
    if kind in ("unresisted", "use") and voice.damaging.verb != trigger.get("event"):
        raise _ContradictionError
    return event


def _condition(outline: _Outline, moment: str, active: Features, span: Any) -> tuple[dict[str, Any], bool]:
    facts = outline.facts
    condition: dict[str, Any] = dict(_without(active, *_TRIGGER_KEYS))
    if str(active.get("event")).endswith("-power"):
        condition.setdefault("weapon", "P")
    if str(active.get("event")).endswith("-weapon"):
        condition.setdefault("weapon", _ANY_WEAPON)
    if active.get("last"):
        condition["wounds_at_most"] = 1
    is_loose = False
    if moment not in STRIKES:
        if condition:
            raise _ContradictionError
        condition, is_loose = _circumstances(outline, span)
    elif "if" in facts or any(each.get("near") or each.get("foes") for each in outline.consequences):
        raise _ContradictionError
    if facts.get("wounds") and condition.setdefault("wounds_at_most", facts["wounds"]) != facts["wounds"]:
        raise _ContradictionError
    if facts.get("roll"):
        condition["roll"] = list(facts["roll"])
    return condition, is_loose


def _circumstances(outline: _Outline, span: Any) -> tuple[dict[str, Any], bool]:
    """Return what an effect outside of an attack asks for; groups name their distance and kind themselves."""
    condition = dict(outline.facts.get("if", Features()))
    groups = [each for each in outline.consequences if each.get("who") in _GROUPS]
    nears = {each.get("near", Features()) for each in groups}
    if len(nears) > 1:
        raise _ContradictionError
    near = next(iter(nears), Features())
    foes = [each.get("foes") for each in groups if each.get("who") == "enemies"]
    if condition.keys() & dict(near).keys() or (foes and "against" in condition):
        raise _ContradictionError
    if groups and condition.keys() & {"range_over", "range_within"}:
        raise _ContradictionError
    condition |= dict(near)
    if foes and foes[0]:
        condition["against"] = foes[0]
    named = {bool(each.get("moment")) for each in groups}
    if True in named and not (span and near):
        raise _ContradictionError
    return condition, bool(near) and bool(span) and named != {True}


def _deeds(deeds: Any, who: str, *, is_point: bool) -> dict[str, Any]:
    data = dict(deeds)
    shifter = data.pop("shifter", "")
    if shifter == "own" and who not in _OWN:
        raise _ContradictionError
    if "reroll" in data and ("may" in data) != (who in _OWN):
        raise _ContradictionError
    if "ignore" in data and ("point" in data) != is_point:
        raise _ContradictionError
    if "weapon" in data:
        name, line = data["weapon"]
        data["weapon"] = {name: line}
    for key in ("may", "must", "point", "last"):
        data.pop(key, None)
    return data
