"""Sentences for effects: trigger, condition, duration, then the consequences.

The order is fixed: trigger, condition, the choice to use it, duration, recurring moment, then the consequences for each
party.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial, reduce
from typing import NamedTuple

from cardgen.game import (
    Features,
    Grammar,
    Meaning,
    Model,
    Series,
    UnwrittenError,
    beside,
    die_faces,
    italic_name,
    printed_text,
    punctuated,
    resolve_bearer,
)
from cardgen.rulesets.warniris.cards import REPORTED_EVENTS, Ability, Earn, Mission, Once, Relic
from cardgen.rulesets.warniris.effect import CONDITIONS, PARTIES, Condition, Effect, Weapon
from cardgen.rulesets.warniris.rulebook import GLOSSARY
from cardgen.rulesets.warniris.wording.clauses import (
    NO_FACTS,
    SENTENCES,
    Clause,
    Subject,
    consequence_clause,
    has_changes,
    is_choice,
    main_clause,
)
from cardgen.rulesets.warniris.words import (
    ENEMY_ACTS,
    KILLS,
    MOMENTS,
    NEARBY_EVENTS,
    STRIKES,
    Said,
    Side,
    Sort,
    moments,
)


class VerbPhrase(NamedTuple):
    """The clause of a verb, and the preposition before its opponent: 'damaged' (to)."""

    verb: str
    preposition: str = ""


# The verbs of the moments with an attack; some already say what is used.
ATTACK_VERBS = {name: VerbPhrase(name, MOMENTS[name].to) for name in MOMENTS if name in STRIKES | KILLS}
_NAMED_ACTIONS = MOMENTS.where(lambda moment: moment.names_weapon)
WEAPON_VERBS = {name: VerbPhrase(f"{name}-weapon", "by" if name == "attacked" else "") for name in _NAMED_ACTIONS}
POWER_VERBS = {name: ATTACK_VERBS[name]._replace(verb=f"{name}-power") for name in _NAMED_ACTIONS}
_BARE_VERBS = {"P": tuple(POWER_VERBS.values()), "CW/RW": tuple(WEAPON_VERBS.values())}
TAKEN_POINT = VerbPhrase("point", "from")


def attack_verb(event: str, condition: Condition) -> VerbPhrase:
    """Return the verb for a moment of an attack with the weapon of a condition."""
    if condition.weapon_name:
        return ATTACK_VERBS[event]
    verbs = {"P": POWER_VERBS, None: ATTACK_VERBS}.get(condition.weapon, WEAPON_VERBS)
    return verbs.get(event, ATTACK_VERBS[event])


def attack_clause(say: Grammar, verb: VerbPhrase, subject: str, condition: Condition, foe: str | None = None) -> str:
    """Return '{subject} Attacks a Minion with a CW from over 12 cm'.

    `foe` replaces the opponent from the condition.
    """
    words = {"subject": subject, "to": verb.preposition, "bearer": "{b}", **_circumstances(say, verb, condition)}
    return say.write("act", _with_foe(foe or condition.against, verb=verb.verb), words)


def _with_foe(foe: str | None, **facts: Meaning) -> Features:
    return Features.of(**facts, **({"foe": foe} if foe else {}))


def kill_clause(say: Grammar, event: str, subject: str, condition: Condition) -> str:
    """Return '{subject} eliminates a Minion with a CW'; a distance is not part of it."""
    attack = condition.model_copy(update={"range_over": None, "range_within": None})
    names_kind = event == "eliminating" and condition.against
    verb = VerbPhrase("eliminating-kind") if names_kind else ATTACK_VERBS[event]
    clause = attack_clause(say, verb, subject, attack)
    return clause if event == "eliminating" else say.write("gone", NO_FACTS, {"clause": clause})


def nearby_clause(say: Grammar, event: str, condition: Condition) -> str:
    """Return 'an enemy Minion within 6 cm is eliminated' or 'an enemy Channels'."""
    side, _, verb = event.partition("_")
    against = condition.against if side == "enemy" else None
    whose = Features(sorted({"who": side, **({"foes": against} if against else {})}.items()))
    attack = condition if verb == "attacking" else Condition()
    attack = attack.model_copy(update={"range_over": None, "range_within": None, "against": None})
    phrase = attack_verb(verb, attack) if verb == "attacking" else VerbPhrase(verb)
    somebody = " ".join(filter(None, (say.write("somebody", whose), distance_phrase(say, condition))))
    return attack_clause(say, phrase, somebody, attack)


def _circumstances(say: Grammar, verb: VerbPhrase, condition: Condition) -> dict[str, str]:
    """Return 'with a CW' and 'from over 12 cm', as far as the verb does not say it."""
    names_weapon = verb in _BARE_VERBS.get(condition.weapon or "", ())
    limits = distance_limits(condition)
    return {
        "weapon": "" if names_weapon else weapon_phrase(say, "circumstance", condition),
        "distance": say.write("circumstance", limits) if limits else "",
    }


def weapon_phrase(say: Grammar, symbol: str, condition: Condition) -> str:
    """Return 'with a CW', 'with *Hex Staff*', or ''."""
    kind = say.write(symbol, Features.of(weapon=condition.weapon)) if condition.weapon else ""
    if not condition.weapon_name:
        return kind
    words = {"weapon_name": italic_name(condition.weapon_name)}
    return f"{kind} {say.write(symbol, Features.of(weapon_name=condition.weapon_name), words)}".strip()


def distance_phrase(say: Grammar, condition: Condition) -> str:
    """Return 'within 10 cm' or 'over 12 cm away'."""
    limits = distance_limits(condition)
    return say.write("distance", limits, style="away") if limits else ""


def distance_limits(condition: Condition) -> Features:
    """Return the limits of the distance that are set."""
    keys = ("range_over", "range_within")
    return Features((key, value) for key in keys if (value := getattr(condition, key)) is not None)


TURN_EVENTS = moments(lambda moment: moment.sort is Sort.TURN)
ATTACKER_EVENTS = moments(lambda moment: moment.by_attacker)
# The conditions that have clauses of their own, those with numbers last.
_STATES = (
    *CONDITIONS.where(lambda each: each.said is Said.STATE),
    *CONDITIONS.where(lambda each: each.said is Said.TURNS),
)
_ASIDES = CONDITIONS.where(lambda each: each.is_aside)
_ENEMY_EVENTS = ENEMY_ACTS | {"enemy_eliminated"}
_OPPONENT_EVENTS = NEARBY_EVENTS | {"eliminating"}
_NAMED = {"bearer": "{the}"}
_BEARER, _OWNER, _NEXT = {"bearer": "{B}"}, {"owner": "{B's}"}, {"owner": "{the's}"}
_MENTION = re.compile(r"\{[Bb](@\w+)?\}")


class Voice(NamedTuple):
    """The words for the source of an effect.

    `bearer` names its bearer ('bearer', 'character'), `attacker` who attacks ('it' for a weapon), `once` how often it
    can be used, and `damaging` what happens at the moment of its Damage.
    """

    bearer: str
    attacker: str = "{B}"
    once: Once = False
    damaging: VerbPhrase = ATTACK_VERBS["damaging"]

    @property
    def is_of_weapon(self) -> bool:
        """Whether it is a weapon's own text."""
        return self.attacker == "it"


def _trigger_clause(say: Grammar, effect: Effect, event: str, voice: Voice, *, is_current: bool) -> str:
    """Return the clause of a moment, or '' for always; `is_current` if the effect applies at it."""
    if event == "always":
        is_said = voice.is_of_weapon and _is_constant(effect)
        return say.write("part", Features.of(constant=True)) if is_said else ""
    if event in TURN_EVENTS:
        return say.write("part", Features.of(at=event), _OWNER, "once" if voice.once is True else "")
    condition = effect.condition if is_current else Condition()
    if event == "damaged" and is_current and _prevents_loss(effect):
        # 'For each point of Damage that {B} takes while it has 3 Wounds or fewer left', which each point checks.
        point, is_checked = say.write("part", Features.of(point=True), _BEARER), not effect.during
        left = _wounds_left(say, condition, "while") if is_checked and condition.wounds_at_most else ""
        words = {"point": point, "left": left, **_BEARER, **_circumstances(say, TAKEN_POINT, condition)}
        return say.write("each_point", _with_foe(condition.against), words)
    is_repeated = bool(effect.during) if is_current else False
    word = "whenever" if is_repeated or (event == "damaged" and not voice.once) else "when"
    if event in KILLS:
        clause = kill_clause(say, event, "{B}", condition)
    elif event in NEARBY_EVENTS:
        clause = nearby_clause(say, event, condition)
    elif event not in STRIKES:
        clause = attack_clause(say, VerbPhrase(event), "{B}", Condition())
    else:
        verb = voice.damaging if event == "damaging" else attack_verb(event, condition)
        is_thing = voice.is_of_weapon and event in ATTACKER_EVENTS
        clause = attack_clause(say, verb, say.write("thing", NO_FACTS) if is_thing else "{B}", condition)
    return say.write("trigger", word, {"clause": clause})


def _prevents_loss(effect: Effect) -> bool:
    """Return whether it ignores points of Damage, which is decided before each is lost."""
    return bool(effect.bearer and effect.bearer.ignore) and effect.active_at == "damaged"


def attacker_subject(say: Grammar, condition: Condition, style: str) -> str:
    """Return the attacker as a subject, or in another style: 'whoever Attacks or Channels at the bearer'."""
    who = Features.of(against=condition.against) if condition.against else NO_FACTS
    whoever = say.write("whoever", who, style=style)
    act = attack_clause(say, attack_verb("attacking", condition), whoever, condition, foe="bearer")
    return say.write("attackers_act", NO_FACTS, {"act": act})


def names_group(party: str) -> bool:
    """Return whether a party is some of the friends or enemies."""
    return PARTIES[party].is_group or PARTIES[party].is_chosen


def condition_clause(say: Grammar, effect: Effect) -> str:
    """Return the condition of an effect outside an attack, unless its subject includes it."""
    condition, moment = effect.condition, effect.active_at
    if moment in STRIKES:
        return ""
    names_opponent = moment in KILLS or moment in _ENEMY_EVENTS
    using = "" if moment in KILLS or moment == "enemy_attacking" else weapon_phrase(say, "whereabout", condition)
    is_foe = bool(effect.enemies or effect.enemy) and moment not in NEARBY_EVENTS
    is_against = condition.against and not names_opponent and not is_foe
    against = say.write("whereabout", Features.of(against=condition.against)) if is_against else ""
    is_measured = moment in NEARBY_EVENTS or any(names_group(name) for name, _ in effect.deeds)
    distance = "" if is_measured else distance_phrase(say, condition)
    return " ".join(part for part in (using, against, distance) if part)


@lru_cache(maxsize=1 << 9)
def effect_sentence(effect: Effect, voice: Voice, say: Grammar = SENTENCES) -> str:
    """Return one marked-up sentence for an effect. Raises UnwrittenError if a clause is not in the language."""
    # Whether the sentence must say that it can be used, because no 'may' of its consequences does.
    is_limited = bool(voice.once) and not _is_constant(effect)
    is_offer = is_limited and not all(is_choice(name, deeds) for name, deeds in effect.deeds)
    head, tail = _leading_clauses(say, effect, voice, is_whole=not (is_offer or effect.cost))
    until = "" if _duration_leads(effect) or not effect.span else _until(say, effect.span)
    main = _consequences(say, effect, voice.once, until)
    if effect.cost:
        main = _before(say, main_clause(say, "part", Features.of(cost=effect.cost), _NAMED), tail, main)
        tail = []
    if is_offer:
        main = _before(say, main_clause(say, "part", Features.of(offer=True), {}), tail, main)
        tail = []
    text = _after(say, [*head, *tail], main)
    text = resolve_bearer(say.write("sentence", NO_FACTS, {"text": text}), partial(_bearer_words, say, voice.bearer))
    return punctuated(text)


def _bearer_words(say: Grammar, bearer: str, is_named: bool, style: str) -> str:
    return say.write("named" if is_named else "pronoun", bearer, style=style)


class _Duration(str):
    """A duration as a leading clause, after which others need a mark before the main clause."""

    __slots__ = ()


def _after(say: Grammar, leads: list[str], main: Clause) -> str:
    """Return a main clause after leading clauses."""
    some = [lead for lead in leads if lead]
    if not some:
        return main.plain
    lead = reduce(lambda first, after: say.write("leads", NO_FACTS, {"lead": first, "next": after}), some)
    if main.turned and (len(some) == 1 or not any(isinstance(each, _Duration) for each in some)):
        return say.write("told", "one", {"lead": lead, "main": main.turned})
    return say.write("told", "several", {"lead": lead, "main": main.plain})


def _before(say: Grammar, choice: Clause, tail: list[str], main: Clause) -> Clause:
    """Return the clause of a choice, with what follows from it."""
    # The bearer is named at its first mention, because 'it' could mean the thing in use.
    rest = _MENTION.sub(lambda match: f"{{the{match[1] or ''}}}", _after(say, tail, main), count=1)
    return Clause(*(say.write("dear", NO_FACTS, {"cost": each, "rest": rest}) for each in choice))


def _consequences(say: Grammar, effect: Effect, once: Once, until: str) -> Clause:
    """Return what happens, until when, and whether uses add up."""
    one_point = effect.active_at == "damaged"
    clauses = [
        consequence_clause(say, _subject(say, effect, name), deeds, until, one_point=one_point)
        for name, deeds in effect.deeds
    ]
    if _is_untargetable(effect):
        # '{B} cannot be Attacked by a Minion from over 12 cm'.
        verb = attack_verb("attacked", effect.condition)
        words = {"subject": "{B}", "to": verb.preposition, **_circumstances(say, verb, effect.condition)}
        facts = _with_foe(effect.condition.against, verb=verb.verb)
        clauses = [main_clause(say, "barring", facts, {**words, "until": until})]
    main, *others = clauses
    if others:
        main = Clause(f"{say.write('joint', 'next')} ".join(each.plain for each in clauses))
    # It adds up if it can change the same value several times before it ends.
    recurs = effect.span in MOMENTS[effect.when].recurs and once is not True
    is_once_now = once == "turn" and effect.span == "turn"
    adds_up = recurs and not is_once_now and any(has_changes(deeds) for _, deeds in effect.deeds)
    notes = say.write("part", Features.of(adds_up=True)) if adds_up else ""
    if not effect.cumulative:
        notes = say.write("part", Features.of(not_again=True))
    words = {"until": until, "notes": notes}
    return Clause(*(say.write("whole", NO_FACTS, {"consequences": each, **words}) if each else "" for each in main))


def _until(say: Grammar, span: str, style: str = "") -> str:
    return say.write("part", Features.of(span=span), _NEXT, style)


def _faces(say: Grammar, faces: Sequence[int]) -> str:
    return die_faces(faces, say.write("joint", "or"), say.write("joint", "to"))


def _leading_clauses(say: Grammar, effect: Effect, voice: Voice, *, is_whole: bool) -> tuple[list[str], list[str]]:
    """Return the clauses before the choice to use it, and those between it and the consequences.

    An effect that `is_whole` leaves no choice between them.
    """
    state = _state_clauses(say, effect)
    is_elsewhere = _attacker_is_subject(effect) or _is_untargetable(effect)
    trigger = "" if is_elsewhere else _trigger_clause(say, effect, effect.active_at, voice, is_current=True)
    details = [trigger, condition_clause(say, effect)]
    condition = effect.condition
    if effect.during and effect.when in TURN_EVENTS and not (state or condition.takes_chance or voice.once):
        assert effect.span is not None
        words = {
            "moment": say.write("moment", effect.when, _OWNER, "from"),
            "span": say.write("span", effect.span, _NEXT),
        }
        return [say.write("period", NO_FACTS, words)], details
    first = _trigger_clause(say, effect, effect.when, voice, is_current=False) if effect.during else ""
    head = [first, *state] if effect.during else [*details, *state]
    style = "next" if is_whole and any(head) else ""
    rolls = [
        say.write("part", Features.of(**{name: Series(faces)}), {"faces": _faces(say, faces)}, style)
        for name in ("same_roll", "roll")
        if (faces := getattr(condition, name))
    ]
    if condition.test:
        rolls.append(say.write("part", Features.of(test=condition.test), _BEARER))
    if effect.span and _duration_leads(effect):
        rolls.append(_Duration(_until(say, effect.span, "apart" if rolls or style else "")))
    return head, [*rolls, *details] if effect.during else rolls


def _state_clauses(say: Grammar, effect: Effect) -> list[str]:
    """Return the conditions on the Wounds left, unless the trigger includes it, and on Moves."""
    condition = effect.condition
    conjunction = "while" if _is_constant(effect) else "if"
    clauses = []
    if condition.wounds_at_most and not (_prevents_loss(effect) and not effect.during):
        clauses.append(_wounds_left(say, condition, conjunction))
    words = {**_BEARER, **_OWNER, "if": say.write("conjunction", conjunction)}
    named = {key: value for key in _STATES if (value := getattr(condition, key)) is not None}
    if condition.turns:
        named["turns"] = Series(condition.turns)
        words["faces"] = _faces(say, condition.turns)
    return [*clauses, *(say.write("part", Features.of(**{key: value}), words) for key, value in named.items())]


def _wounds_left(say: Grammar, condition: Condition, conjunction: str) -> str:
    words = {**_BEARER, "if": say.write("conjunction", conjunction)}
    return say.write("part", Features.of(wounds=condition.wounds_at_most), words)


def _is_constant(effect: Effect) -> bool:
    return effect.when == "always" and not effect.span


def _duration_leads(effect: Effect) -> bool:
    """Return whether the duration comes first: for recurring moments or several subjects."""
    return bool(effect.during) or len(effect.deeds) > 1


def _attacker_is_subject(effect: Effect) -> bool:
    """Return whether 'whoever Attacks the bearer' is the only subject."""
    attacker_only = [name for name, _ in effect.deeds] == ["attacker"] and effect.active_at == "attacked"
    condition = effect.condition
    needs_more = condition.wounds_at_most or condition.takes_chance
    needs_more = needs_more or any(getattr(condition, key) is not None for key in _STATES)
    return attacker_only and (bool(effect.during) or not needs_more)


def _is_untargetable(effect: Effect) -> bool:
    """Return whether 'cannot be Attacked' is all that the sentence says of an attack."""
    own = effect.bearer if [name for name, _ in effect.deeds] == ["bearer"] else None
    is_all = own is not None and own.keys == ("targeted",)
    return is_all and effect.active_at == "attacked" and bool(effect.during or not effect.span)


def _subject(say: Grammar, effect: Effect, name: str) -> Subject:
    """Return the subject for a party of the effect."""
    change_verb = "has" if _is_constant(effect) else "gets"
    if _attacker_is_subject(effect):
        names_event = bool(effect.during or not effect.span)
        noun, as_object = (attacker_subject(say, effect.condition, style) for style in ("", "acc"))
        return Subject(noun, change_verb, as_object, say.write("them", name), names_event=names_event)
    if names_group(name):
        whom, is_own = _group(effect, name), PARTIES[name].side is Side.OWN
    elif name == "bearer":
        names_opponent = effect.condition.against and effect.active_at in STRIKES | KILLS
        names_opponent = names_opponent or bool(_OPPONENT_EVENTS & {effect.when, effect.during})
        names_opponent = names_opponent or any(getattr(effect.condition, key) is not None for key in _ASIDES)
        return Subject("{the}" if names_opponent else "{B}", change_verb, is_own=True)
    else:
        is_act = name == "actor" and effect.active_at in ENEMY_ACTS
        whom, is_own = Features.of(who="that" if is_act else name), False
    noun, as_object = (say.write("party", whom, style=style) for style in ("", "acc"))
    it, plural = say.write("them", name), PARTIES[name].is_group
    return Subject(noun, change_verb, as_object, it, plural=plural, is_own=is_own)


def _group(effect: Effect, name: str) -> Features:
    """Return friends or enemies, limited by the condition outside an attack."""
    group: dict[str, Meaning] = {"who": name}
    condition, moment = effect.condition, effect.active_at
    if moment not in STRIKES | NEARBY_EVENTS:
        if condition.against and PARTIES[name].side is Side.ENEMY and moment not in KILLS:
            group["foes"] = condition.against
        if limits := distance_limits(condition):
            group["near"] = limits
            is_lasting = PARTIES[name].is_group and effect.span and not effect.during
            group |= {"moment": True} if is_lasting else {}
    return Features(sorted(group.items()))


def goal_sentence(goal: Earn, weapon_types: Sequence[str] = (), say: Grammar = SENTENCES) -> str:
    """Return one sentence for the objective of a mission. Raises UnwrittenError if a clause is not in the language.

    The weapon types, if any, are those that a ruling allows; they take the place of the one that the objective names.
    """
    style = "one" if goal.by == "one" else ""
    words = {"rest": " ".join(_qualifiers(say, goal, weapon_types)), **_objects(say, goal)}
    text = say.write("goal", goal.event, words, style)
    if time := _time_clause(say, goal):
        text = say.write("leads", NO_FACTS, {"lead": time, "next": text})
    if goal.then:
        then = say.write("detail", Features.of(then=goal.then), style=style)
        text = say.write("leads", NO_FACTS, {"lead": text, "next": then})
    return punctuated(say.write("sentence", NO_FACTS, {"text": text}))


def _time_clause(say: Grammar, goal: Earn) -> str:
    """Return in what time it happens."""
    at_end = (goal.event == "survive" and goal.within != "move") or (goal.event, goal.within) == ("control", "turn")
    if goal.within == "battle" and not at_end:
        return ""
    facts: dict[str, Meaning] = {"end": True} if at_end else {}
    is_one = goal.turns == 1 or goal.within != "turn"
    return say.write("time", Features.of(**facts, **{"within": goal.within} if is_one else {"turns": goal.turns}))


def _objects(say: Grammar, goal: Earn) -> dict[str, str]:
    """Return to whom it happens, and how often: 'enemies two or more times'."""

    def write(**facts: Meaning) -> str:
        return say.write("whom", Features.of(**facts))

    count: dict[str, Meaning] = {"count": goal.count, **({"different": True} if goal.different else {})}
    is_single = goal.count == 1 and not goal.different
    if goal.event == "survive":
        return {"own": write(own=goal.of, **count)}
    if goal.event in REPORTED_EVENTS:
        times = "" if is_single else write(times=goal.count, **({"different": True} if goal.different else {}))
        rivals = "" if goal.of == "enemy" or goal.event == "retreat" else write(rivals=goal.of)
        return {"times": times, "rivals": rivals, "weapon": write(weapon=goal.of)}
    if goal.event == "resist":
        return {"whom": write(attack=goal.of, **({} if is_single else count))}
    if is_single:
        return {"whom": write(of=goal.of)}
    is_counted = goal.different or goal.event in ("eliminate", "pass")
    return {"whom": write(of=goal.of, **count) if is_counted else write(of=goal.of, times=goal.count)}


def _qualifiers(say: Grammar, goal: Earn, weapon_types: Sequence[str]) -> list[str]:
    """Return by how many, with what, from where, and before whom."""
    types = [say.write("goal_weapon", each) for each in weapon_types or filter(None, (goal.weapon,))]
    words = {"weapons": f" {say.write('joint', 'or')} ".join(types)}

    def details(is_said: object, **facts: Meaning) -> list[str]:
        return [say.write("detail", Features.of(**facts), words)] if is_said else []

    origin, weapon = details(goal.origin, origin=goal.origin), details(goal.weapon, armed=True)
    in_turn: dict[str, Meaning] = {"turn": True} if goal.within == "turn" else {}
    center: dict[str, Meaning] = {"center": True} if goal.event == "control" else {}
    return [
        *details(goal.everyone, everyone=True),
        *details(goal.attackers > 1, attackers=goal.attackers, **in_turn),
        # A place after a weapon with a clause of its own would belong to that clause.
        *([*origin, *weapon] if goal.weapon == "ruling" else [*weapon, *origin]),
        *details(goal.range_over, over=goal.range_over, **center),
        *details(goal.range_within, within=goal.range_within, **center),
        *details(goal.rescue, rescue=True),
        *details(goal.reaction, reaction=True),
        *details(goal.event == "pass", event="pass"),
        *details(goal.turns > 1 and goal.within != "turn", turns=goal.turns),
        *details(goal.first, first=True),
    ]


THE_BEARER, THIS_CHARACTER = "bearer", "character"


def sentences(thing: Model, language: str = "") -> tuple[str, ...]:
    """Return one sentence for each effect, or for a mission's `earn`.

    A sentence that has a clause without words in the `language` is in English. Different effects never produce the same
    sentence for things of the same kind.
    """
    return tuple([written.text for written in written_sentences(thing, language)])


class WrittenSentence(NamedTuple):
    """A sentence, and the clause that is not in the language, so that the sentence is in English; '' if none is."""

    text: str
    missing: str = ""


def written_sentences(thing: Model, language: str) -> Iterator[WrittenSentence]:
    """Yield the sentences of a thing in a language."""
    writers: Iterable[Callable[[Grammar], str]] = ()
    if isinstance(thing, Mission):
        writers = (partial(goal_sentence, thing.earn, ()),) if thing.earn else ()
    elif (effects := getattr(thing, "effects", ())) and (voice := voice_of(thing)):
        writers = (partial(effect_sentence, effect, voice) for effect in effects)
    spoken = SENTENCES.in_language(language) if language else None
    for write in writers:
        try:
            yield WrittenSentence(write(spoken or SENTENCES))
        except UnwrittenError as error:
            yield WrittenSentence(write(SENTENCES), error.clause_in(SENTENCES))


def voice_of(thing: Model) -> Voice | None:
    """Return the words for a card, ability, or weapon in sentences about its effects; None if it has none."""
    match thing:
        case Relic(once=once):
            return Voice(THE_BEARER, once=once)
        case Ability(once=once):
            return Voice(THIS_CHARACTER, once=once)
        case Weapon():
            # The words for a weapon; without Damage, its effects follow when it is used or not resisted.
            voice = Voice(THE_BEARER, attacker="it")
            if thing.damage:
                return voice
            verb = VerbPhrase("damaging-unresisted", "by") if thing.needs_test else VerbPhrase("damaging-use", "on")
            return voice._replace(damaging=verb)
    return None


def describe(thing: Model, language: str = "") -> str:
    """Return the marked-up text of a card, an ability, or a weapon, or ''."""
    return printed_text(thing, partial(sentences, language=language), beside(GLOSSARY, language))


def once_label(thing: object, language: str = "") -> str:
    """Return the limit on its use: 'Once a battle', 'Once a turn', or ''."""
    once = getattr(thing, "once", False)
    say = SENTENCES.in_language(language) or SENTENCES
    return say.write("once", "turn" if once == "turn" else "battle") if once else ""


def abbreviation(name: str, language: str = "") -> str:
    """Return an abbreviation in a language: 'type CW', 'number R', or 'stat M' without the first word."""
    sort, _, letter = name.partition(" ")
    return (SENTENCES.in_language(language) or SENTENCES).write(f"{sort}_letter", letter)


def missing_clauses(thing: Model, language: str) -> tuple[str, ...] | None:
    """Return the clauses of a thing's sentences that are not in a language; None if nothing is."""
    if SENTENCES.in_language(language) is None:
        return None
    return tuple([each.missing for each in written_sentences(thing, language) if each.missing])
