"""The keys of an effect that the clauses of a sentence mean together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from cardgen.game import Features, Token, UnclearError, unclear_if
from cardgen.rulesets.warniris.effect import CHANGES, CONDITIONS, DEEDS, PARTIES, SUDDEN
from cardgen.rulesets.warniris.wording.effects import TURN_EVENTS, Voice, names_group
from cardgen.rulesets.warniris.words import KILLS, MOMENTS, NEARBY_EVENTS, REROLLS, STRIKES, Said, Side

_OWN = PARTIES.where(lambda party: party.side is Side.OWN)
_SEVERAL = PARTIES.where(lambda party: party.is_group)
_STATES = CONDITIONS.where(lambda each: each.said is Said.STATE)
_DISTANCES = frozenset({"range_over", "range_within"})
# What happens at once, so that a duration says nothing about it.
_SUDDEN = {*SUDDEN} - {"score"}
TRIGGER_KEYS = ("event", "at", "point", "last", "foe")
# What a clause about consequences says of whom they concern.
_PARTY_KEYS = ("who", "deeds", "noun", "open")
_TYPES_OF_VERB = {"weapon": ("CW/RW", "CW", "RW", "P"), "power": ("P",)}


class Outline(NamedTuple):
    """The clauses of a sentence by what they are about."""

    triggers: tuple[Features, ...]
    span_leads: bool
    facts: dict[str, Any]
    consequences: tuple[Features, ...]


def without(features: Features, *keys: str) -> Features:
    """Return the features without those of some names."""
    return Features((key, value) for key, value in features if key not in keys)


def by_moment(outline: Outline) -> tuple[Outline, ...]:
    """Return an outline for each moment that clauses about consequences have of their own, as 'its CW gets +1 P' has.

    Raises UnclearError for limits and other conditions that could belong to one of them only.
    """
    moments = [without(each, *_PARTY_KEYS) if each.get("event") else None for each in outline.consequences]
    own = list(dict.fromkeys(moments))
    if len(own) == 1:
        triggers = outline.triggers
        if own[0]:
            triggers = (*triggers, own[0]) if "span" in outline.facts else _with_moment(triggers, own[0])
        return (outline._replace(triggers=triggers, span_leads=outline.span_leads and bool(triggers)),)
    unclear_if(outline.triggers or outline.span_leads, "limits of which moment")
    unclear_if(outline.facts.keys() - {*_STATES, "wounds"}, "conditions of which moment")
    return tuple(
        outline._replace(
            triggers=(moment,) if moment else (),
            facts=dict(outline.facts),
            consequences=tuple(each for each, its in zip(outline.consequences, moments, strict=True) if its == moment),
        )
        for moment in own
    )


def _with_moment(triggers: tuple[Features, ...], moment: Features) -> tuple[Features, ...]:
    """Return the moments of a sentence with one more, which can repeat the only one."""
    base = str(moment.get("event")).partition("-")[0]
    if len(triggers) == 1 and str(triggers[0].get("event")).partition("-")[0] == base:
        earlier, later = without(triggers[0], "event"), without(moment, "event")
        if not dict(earlier).keys() & dict(later).keys():
            longest = max(str(triggers[0].get("event")), str(moment.get("event")), key=len)
            return (Features.of(**{**dict(earlier), **dict(later), "event": longest}),)
    return (*triggers, moment)


def effect_data(outline: Outline, voice: Voice) -> tuple[dict[str, Any], bool]:
    """Return the keys of the effect, and whether they are a loose reading."""
    facts = outline.facts
    when, during, active = _moments(outline, voice)
    span = facts.get("span")
    if when == "always" and not during and "once" in facts:
        when, span = _moment_of_use(outline, span)
    unclear_if(bool(during) and not span, "a recurring moment without an end")
    data: dict[str, Any] = {key: value for key, value in (("when", when), ("for", span), ("while", during)) if value}
    at_moment = during or when
    if condition := _condition(outline, at_moment, active, span if not during else None):
        data["if"] = condition
    is_loose = any(map(_drops_foe, outline.triggers))
    for each in outline.consequences:
        _require_noun(each, condition)
        is_loose = is_loose or _is_open(each, at_moment, condition)
        unclear_if(each.get("some") and when == "always", "somebody at no moment")
        who = str(each.get("who"))
        deeds = _deeds(each.get("deeds"), who, is_point=at_moment == "damaged")
        data[who] = _with_more(data[who], deeds, lasts=bool(span)) if who in data else deeds
    if unless := facts.get("unless"):  # The Test of a clause of its own.
        unclear_if(len(outline.consequences) != 1, "whose Test")
        deeds = data[str(outline.consequences[0].get("who"))]
        unclear_if(deeds.setdefault("unless", unless) != unless, "two Tests")
    is_last = bool(active.get("last"))
    unclear_if(any(bool(each.get("deeds").get("last")) != is_last for each in outline.consequences), "the last Wound")
    prevents = at_moment == "damaged" and "ignore" in data.get("bearer", {})
    unclear_if(prevents != bool(active.get("point")), "a point of Damage")
    return data, is_loose


def _drops_foe(trigger: Features) -> bool:
    """Return whether 'by an enemy' says more than the moment; UnclearError where nobody does anything to anybody.

    Damage and eliminations can have other causes, which no condition excludes.
    """
    event = str(trigger.get("event")).partition("-")[0]
    unclear_if(trigger.get("foe") and event not in STRIKES | KILLS, "an enemy of nobody")
    return bool(trigger.get("foe")) and event in ("damaged", "eliminated")


def _is_open(consequence: Features, moment: str, condition: dict[str, Any]) -> bool:
    """Return whether a clause could concern the bearer, too, or Damage without an attack."""
    concerned = consequence.get("open")
    return (concerned == "self" and moment != "eliminated") or (concerned == "cause" and not condition)


def _require_noun(consequence: Features, condition: dict[str, Any]) -> None:
    """Raise UnclearError for 'that shot' or 'that Minion' of what need not be one."""
    noun, is_friend = consequence.get("noun", "miniature"), consequence.get("who") == "friend"
    if noun in ("miniature", "friend"):
        is_such = noun == "miniature" or is_friend
    elif noun in ("character", "minion"):
        is_such = condition.get("against") == noun or (is_friend and noun == "character")
    else:
        weapons = {*str(condition.get("weapon", "any")).split("/")}
        is_such = "weapon_name" in condition or weapons <= {*noun.split("/")}
    unclear_if(not is_such, "another noun")


def _with_more(deeds: dict[str, Any], more: dict[str, Any], *, lasts: bool) -> dict[str, Any]:
    """Return what two clauses say of one party; a duration in the second one could be silent about the first."""
    if "free_move" in deeds and more.keys() == {"answered"}:
        return deeds  # Not an Action, so nobody could react to it anyway.
    is_unclear = "unless" in {*deeds, *more} or (lasts and not deeds.keys() <= _SUDDEN)
    unclear_if(is_unclear or deeds.keys() & more.keys(), "which of them lasts, or is saved from")
    return {**deeds, **more}


def _moment_of_use(outline: Outline, span: Any) -> tuple[str, Any]:
    """Return the moment and the duration of something that is used once, and the natural ones for what it does."""
    deeds = [dict(each.get("deeds")) for each in outline.consequences if each.get("who") == "bearer"]
    if len(deeds) != 1 or len(outline.consequences) != 1:
        return "always", span
    keys = [key for key in deeds[0] if key not in ("may", "must")]
    words = [REROLLS.get(deeds[0][key]) if key == "reroll" else DEEDS.get(key) for key in keys]
    if len(words) != 1 or words[0] is None or words[0].use is None:
        return "always", span
    moment, usual_span = words[0].use
    return moment, span or usual_span


def _moments(outline: Outline, voice: Voice) -> tuple[str, str, Features]:
    """Return the moment when the effect starts, that when it applies or '', and the clause of the latter."""
    triggers = outline.triggers
    if "span" not in outline.facts:
        triggers = tuple(dict.fromkeys(triggers))  # 'Before the first turn, after deployment'
    unclear_if(len(triggers) + outline.span_leads > 2, "too many moments")
    unclear_if(outline.facts.get("constant") and (triggers or not voice.is_of_weapon), "in use, or always")
    if not triggers:
        is_effect = voice.attacker == "it" and not outline.facts.get("constant") and _follows_damage(outline)
        return "damaging" if is_effect else "always", "", Features()
    moments = [_moment(trigger, voice) for trigger in triggers]
    if outline.span_leads:
        return "always", moments[0], triggers[0]
    if len(triggers) == 2:
        unclear_if(without(triggers[0], *TRIGGER_KEYS) or triggers[0].get("point"), "details of the first moment")
        return moments[0], moments[1], triggers[1]
    return moments[0], "", triggers[0]


def _follows_damage(outline: Outline) -> bool:
    """Return whether a sentence of a weapon without a moment is about its Damage (section 1: Effect).

    What changes numbers and rules without an end would be over at once; of the bearer, it is for all its attacks.
    """
    is_sudden = [{key for key, _ in each.get("deeds")} <= {*SUDDEN, "unless"} for each in outline.consequences]
    return "span" in outline.facts or ("unless" in outline.facts and any(is_sudden)) or all(is_sudden)


def _moment(trigger: Features, voice: Voice) -> str:
    if moment := trigger.get("at"):
        return str(moment)
    event, _, kind = str(trigger.get("event")).partition("-")
    types = _TYPES_OF_VERB.get(kind)
    unclear_if(types and trigger.get("weapon", types[0]) not in types, "another weapon")
    unclear_if(kind in ("unresisted", "use") and voice.damaging.verb != trigger.get("event"), "another verb")
    return event


def _condition(outline: Outline, moment: str, active: Features, span: Any) -> dict[str, Any]:
    """Return what an effect asks for: what the clause of its moment says of an attack, and what the others say."""
    facts, (event, _, kind) = outline.facts, str(active.get("event")).partition("-")
    condition: dict[str, Any] = dict(without(active, *TRIGGER_KEYS))
    if kind in _TYPES_OF_VERB:
        condition.setdefault("weapon", _TYPES_OF_VERB[kind][0])
    if active.get("last"):
        condition["wounds_at_most"] = 1
    unclear_if(event in KILLS and condition.keys() & _DISTANCES, "a distance of those whom it concerns")
    if moment in STRIKES | NEARBY_EVENTS:
        around = dict(facts.get("if", Features()))
        is_measured = "group_near" in facts or any(
            each.get("near") or each.get("foes") for each in outline.consequences
        )
        unclear_if(is_measured or around.keys() & _DISTANCES, "a distance beside that of the moment")
    else:
        unclear_if(condition and moment not in KILLS, "an attack at no attack")
        around = _circumstances(outline, span)
    unclear_if(condition.keys() & around.keys(), "said twice")
    condition |= around
    if "weapon_name" in condition and "weapon" not in {**dict(active), **around}:
        condition.pop("weapon", None)  # 'Attacks with *Hex Staff*' says so of weapons and powers.
    limit = facts.get("wounds")
    unclear_if(limit and condition.setdefault("wounds_at_most", limit) != limit, "two limits of Wounds")
    condition |= {key: facts[key] for key in _STATES if key in facts}
    condition |= {key: list(facts[key]) for key in ("roll", "same_roll", "turns") if facts.get(key)}
    return condition | ({"test": facts["test"]} if facts.get("test") else {})


def _circumstances(outline: Outline, span: Any) -> dict[str, Any]:
    """Return what an effect outside of an attack asks for; groups name their distance and kind themselves."""
    condition = dict(outline.facts.get("if", Features()))
    groups = [each for each in outline.consequences if names_group(str(each.get("who")))]
    nears = {each.get("near", Features()) for each in groups}
    unclear_if(len(nears) > 1, "two distances")
    near = next(iter(nears), Features())
    if late := outline.facts.get("group_near"):
        unclear_if(near or not groups, "the distance of whom")
        near = late
    foes = [each.get("foes") for each in groups if each.get("who") in ("enemies", "enemy")]
    unclear_if(condition.keys() & dict(near).keys() or (foes and "against" in condition), "a distance or a kind twice")
    unclear_if(groups and condition.keys() & _DISTANCES, "the distance of the bearer")
    condition |= dict(near)
    if foes and foes[0]:
        condition["against"] = foes[0]
    named = {bool(each.get("moment")) for each in groups if each.get("who") in _SEVERAL}
    unclear_if(True in named and not (span and near), "who is near now, without an end")
    return condition


def _deeds(deeds: Any, who: str, *, is_point: bool) -> dict[str, Any]:
    data = dict(deeds)
    shifter = data.pop("shifter", "")
    unclear_if(shifter == "own" and who not in _OWN, "shifted by whom")
    unclear_if("reroll" in data and ("may" in data) != (who in _OWN), "who re-rolls")
    unclear_if("ignore" in data and ("point" in data) != is_point, "a point of Damage, or all of it")
    if "weapon" in data:
        name, line = data["weapon"]
        data["weapon"] = {name: line}
    for key in ("may", "must", "point", "last", "plain"):
        data.pop(key, None)
    return data


# Singular nouns that 'it' could mean, besides the bearer.
_RIVALS = frozenset({"target", "attacker", "enemy", "opponent", "friend", "minion", "character", "foe"})
_FOES = frozenset({"enemy", "opponent", "foe", "target"})
# The nouns for those who are gone at a moment, so that 'it' does not mean them.
GONE = {
    f"{name}-{kind}" if kind else name: nouns for name, moment in MOMENTS.items() for kind, nouns in moment.gone.items()
}
# What players do: 'you may', 'if you wish', 'you roll'.
_OF_PLAYERS = frozenset({"activate", "may", "do", "must", "want", "wish", "like", "choose", "throw", "declare"})
_MINIATURES = frozenset({"character", "miniature", "minion"})
# Words that name the bearer, or what belongs to it.
_OF_BEARER = frozenset({"bearer", "this", "you", "your", "its", "his", "her"})


class Scene(NamedTuple):
    """What was said before a clause.

    `before` are the words of the sentence, `earlier` those of the sentence before it, `chosen` the party that was
    chosen, `gone` the nouns for those who are eliminated, `asides` the tokens of clauses about who is near,
    `own_asides` those of them with the bearer as their subject, and `opponent` the party of 'that enemy' at the moment
    of an attack or of what an enemy does, and `event` the moment.
    """

    before: Sequence[Token]
    voice: Voice
    earlier: Sequence[str]
    chosen: Features | None
    gone: frozenset[str]
    asides: frozenset[int] = frozenset()
    opponent: Features | None = None
    own_asides: frozenset[int] = frozenset()
    event: str = ""


def resolve_subjects(consequences: Any, scene: Scene, *, is_first: bool) -> Iterator[Features]:
    """Yield the consequences with their parties; UnclearError for a subject that could mean two."""
    for each in consequences:
        if (flat := each.get("flat")) is not None:  # A clause that names the deeds and the weapon at once.
            parts = {"weapon": flat.get("weapon"), "deeds": without(flat, "weapon")}
            each = Features.of(**{**dict(without(each, "flat")), **parts})
        who = each.get("who")
        if who == "everyone":
            yield from (_of_party(each, side) for side in _SEVERAL)
        elif who == "side":
            yield from (_of_party(without(each, "near"), "bearer"), _of_party(each, "friends"))
        else:
            yield _resolve(each, str(who), scene, is_first=is_first)


def _resolve(consequence: Features, who: str, scene: Scene, *, is_first: bool) -> Features:
    """Return a consequence with its party."""
    if who in ("act", "attack"):  # The enemy whose act it is, or whoever makes the attack of the last moment.
        is_enemys = who == "act" and scene.event == "enemy_attacking"
        unclear_if(not is_enemys and (who == "act" or scene.opponent in (None, _ACTOR)), "who does it")
        attacker = "attacker" if scene.opponent == Features.of(who="attacker") else "bearer"
        return _of_party(consequence, "actor" if is_enemys else attacker)
    if who == "they":  # One of unknown sex, whom the bearer attacks, or who acts.
        opponent = Features.of(who="target") if scene.voice.attacker == "it" else scene.opponent
        is_of_several = _GROUPS & {*scene.earlier, *(token.word for token in scene.before)}
        unclear_if(opponent is None or is_of_several or not _is_harmful(consequence), "who they are")
        return _of_features(consequence, opponent)
    if who in ("that", "it", "he") and (named := _named_before(consequence, who, scene)):
        return named
    if who in ("it", "he") and _is_target(consequence, scene):
        return _of_party(consequence, "target")
    if who in ("it", "he", "implied"):
        _require_bearer(consequence, scene, is_first=is_first)
        return _of_party(consequence, "bearer")
    return consequence


def _named_before(consequence: Features, who: str, scene: Scene) -> Features | None:
    """Return a consequence for the one that was chosen, or that acts at the moment, if it is about that one."""
    if who == "that" or scene.chosen is not None:
        named = _of_features(consequence, scene.chosen or scene.opponent)
        unclear_if(who == "that" and named.get("who") == "friend" and not named.get("noun"), "which friend")
        return named
    if scene.opponent is not None and _addresses_bearer(scene):
        return _of_features(consequence, scene.opponent)
    if scene.opponent != _ACTOR:
        return None
    # After what an enemy does, 'it' is that enemy if it is harmed, and 'he' the bearer if not.
    is_harm = _is_harmful(consequence)
    unclear_if(is_harm != (who == "it"), "the enemy, or the bearer")
    return _of_party(consequence, "actor" if is_harm else "bearer")


def _of_features(consequence: Features, party: Features | None) -> Features:
    if party is None:
        raise UnclearError("nobody that it refers to")
    return Features.of(**{**dict(party), **dict(without(consequence, "who"))})


_ACTOR, _TARGET = Features.of(who="actor"), Features.of(who="target")
# What nobody would write of the bearer at a moment of an enemy.
_HARM = frozenset(DEEDS.where(lambda deed: not deed.aids))


def _is_harmful(consequence: Features) -> bool:
    deeds = dict(consequence.get("deeds"))
    is_ban = deeds.get("reactions") == "none"
    return is_ban or bool(deeds.keys() & _HARM) or any(isinstance(each, int) and each < 0 for each in deeds.values())


def _is_reward(consequence: Features) -> bool:
    """Return whether the bearer would get a consequence of what it does: Wounds, a Move, or a value that is higher."""
    deeds = dict(consequence.get("deeds"))
    is_raised = all(isinstance(each, int) and each > 0 for each in deeds.values())
    return bool(deeds) and deeds.keys() <= {"heal", "free_move", "plain", *CHANGES} and is_raised


def _is_target(consequence: Features, scene: Scene) -> bool:
    """Return whether 'it' is the target that a weapon's own text has named, and that is harmed."""
    words = {token.word for token in scene.before}
    return scene.voice.attacker == "it" and "target" in words and not words & _WIELDERS and _is_harmful(consequence)


_GROUPS = frozenset({"enemies", "friends", "miniatures", "characters", "minions", "bearer", "you", "both", "all"})
_WIELDERS = frozenset({"bearer", "wearer", "carrier", "attacker", "friend", "friends", "friendly", "you", "your"})


def _names_anybody(scene: Scene) -> bool:
    """Return whether a word before a clause names a fighter or speaks of its acts, so that 'it' stands for somebody."""
    words = {*scene.earlier, *(token.word for token in scene.before)}
    return scene.event not in ("", *TURN_EVENTS) or bool(words & _OF_BEARER)


def _addresses_bearer(scene: Scene) -> bool:
    """Return whether the bearer is 'you', so that nobody else can be."""
    words = [*scene.earlier, "", *(token.word for token in scene.before), ""]
    return any(
        (word == "your" and after not in _MINIATURES | {"choice", "other"})
        or (word == "you" and after not in _OF_PLAYERS)
        for word, after in pairwise(words)
    )


def _require_bearer(consequence: Features, scene: Scene, *, is_first: bool) -> None:
    """Raise UnclearError if a clause could be about somebody else than the bearer; 'you' is nobody but it."""
    unclear_if(consequence.get("who") != "implied" and _addresses_bearer(scene), "'you', or another")
    unclear_if(_RIVALS.intersection(scene.earlier) and not _words(scene) & {"bearer"}, "the bearer, or one before")
    if consequence.get("who") == "implied":
        unclear_if(not is_first or scene.chosen is not None, "a subject that is left out")
        return
    is_of_it = consequence.get("who") == "it"
    unclear_if(is_of_it and _is_harmful(consequence) and not _names_anybody(scene), "whom it harms")
    words = _words(scene, skipped=scene.asides if consequence.get("who") == "he" else scene.own_asides)
    is_object = consequence.get("deeds").get("shifter") == "you" and not is_first
    is_weapon = scene.voice.attacker == "it" and "bearer" not in words
    is_reward = scene.opponent == _TARGET and _is_reward(consequence)
    rivals = _RIVALS - scene.gone - (_FOES if is_reward else frozenset())
    unclear_if(is_object or is_weapon or words & rivals, "the bearer, or another")


def _words(scene: Scene, skipped: frozenset[int] = frozenset()) -> set[str]:
    """Return the words before a clause, without what means the bearer: 'this' and a noun, or 'your Character'.

    'He' is nobody of a clause about who is near.
    """
    words = ["", *(token.word for token in scene.before)]
    return {
        word
        for index, (before, word) in enumerate(pairwise(words))
        if index not in skipped and before != "this" and not (before in ("your", "the") and word in _MINIATURES)
    }


def _of_party(consequence: Features, who: str) -> Features:
    return Features.of(**{**dict(consequence), "who": who})
