"""Sentences for effects: trigger, condition, duration, then the consequences.

The order is fixed: trigger, condition, the choice to use it, duration, recurring moment, then the consequences for each
party.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from cardgen.game import (
    Features,
    Meaning,
    Model,
    Series,
    centimetres,
    die_faces,
    italic_name,
    join_clauses,
    number_in_words,
    printed_text,
)
from cardgen.rulesets.warniris.cards import Ability, Earn, Mission, Once, Relic
from cardgen.rulesets.warniris.effect import CONDITIONS, PARTIES, Condition, Effect, Weapon
from cardgen.rulesets.warniris.rulebook import GLOSSARY
from cardgen.rulesets.warniris.wording.clauses import CLAUSES, Subject, consequence_clause, has_changes, is_choice
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


def attack_clause(
    verb: VerbPhrase, subject: str, condition: Condition, opponent: str = "", symbol: str = "verb"
) -> str:
    """Return '{subject} Attacks a Minion with a CW from over 12 cm'.

    `opponent` replaces the opponent from the condition.
    """
    details = circumstances(verb, condition, opponent)
    return " ".join(part for part in (subject, CLAUSES.write(symbol, verb.verb), details) if part)


def kill_clause(event: str, subject: str, condition: Condition) -> str:
    """Return '{subject} eliminates a Minion with a CW'; a distance is not part of it."""
    attack = condition.model_copy(update={"range_over": None, "range_within": None})
    names_kind = event == "eliminating" and condition.against
    verb = VerbPhrase("eliminating-kind") if names_kind else ATTACK_VERBS[event]
    clause = attack_clause(verb, subject, attack)
    return clause if event == "eliminating" else f"{clause}, before it is removed"


def nearby_clause(event: str, condition: Condition) -> str:
    """Return 'an enemy Minion within 6 cm is eliminated' or 'an enemy Channels'."""
    side, _, verb = event.partition("_")
    against = condition.against if side == "enemy" else None
    whose = Features(sorted({"who": side, **({"foes": against} if against else {})}.items()))
    attack = condition if verb == "attacking" else Condition()
    attack = attack.model_copy(update={"range_over": None, "range_within": None, "against": None})
    phrase = attack_verb(verb, attack) if verb == "attacking" else VerbPhrase(verb)
    act = attack_clause(phrase, "", attack)
    return " ".join(filter(None, (CLAUSES.write("somebody", whose), distance_phrase(condition), act)))


def circumstances(verb: VerbPhrase, condition: Condition, opponent: str = "") -> str:
    """Return 'by a Minion with a CW from over 12 cm'."""
    words = {"preposition": verb.preposition}
    against = f"{verb.preposition} {opponent}" if opponent else ""
    if condition.against and not opponent:
        against = CLAUSES.write("circumstance", Features.of(against=condition.against), words)
    names_weapon = verb in _BARE_VERBS.get(condition.weapon or "", ())
    weapon = "" if names_weapon else weapon_phrase("circumstance", condition)
    limits = distance_limits(condition)
    distance = CLAUSES.write("circumstance", limits) if limits else ""
    return " ".join(part.strip() for part in (against, weapon, distance) if part)


def weapon_phrase(symbol: str, condition: Condition) -> str:
    """Return 'with a CW', 'with *Hex Staff*', or ''."""
    kind = CLAUSES.write(symbol, Features.of(weapon=condition.weapon)) if condition.weapon else ""
    if not condition.weapon_name:
        return kind
    words = {"weapon_name": italic_name(condition.weapon_name)}
    return f"{kind} {CLAUSES.write(symbol, Features.of(weapon_name=condition.weapon_name), words)}".strip()


def distance_phrase(condition: Condition) -> str:
    """Return 'within 10 cm' or 'over 12 cm away'."""
    limits = distance_limits(condition)
    return CLAUSES.write("distance", limits, style="away") if limits else ""


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
_BEARER, _OWNER, _NEXT = {"bearer": "{B}"}, {"owner": "{B's}"}, {"owner": "{the}’s"}
_MENTION = re.compile(r"\{[Bb]\}")


class Voice(NamedTuple):
    """The words for the source of an effect.

    `bearer` names its bearer ('the bearer'), `attacker` who attacks ('it' for a weapon), `once` how often it can be
    used, `damaging` what happens at the moment of its Damage, and `constant` when an effect without a moment applies.
    """

    bearer: str
    attacker: str = "{B}"
    once: Once = False
    damaging: VerbPhrase = ATTACK_VERBS["damaging"]
    constant: str = ""


def _trigger_clause(effect: Effect, event: str, voice: Voice, *, is_current: bool) -> str:
    """Return the clause of a moment, or '' for always; `is_current` if the effect applies at it."""
    if event == "always":
        return voice.constant if _is_constant(effect) else ""
    if event in TURN_EVENTS:
        return CLAUSES.write("part", Features.of(at=event), _OWNER, "once" if voice.once is True else "")
    condition = effect.condition if is_current else Condition()
    if event == "damaged" and is_current and _prevents_loss(effect):
        # 'For each point of Damage that {B} takes while it has 3 Wounds or fewer left', which each point checks.
        point, is_checked = CLAUSES.write("part", Features.of(point=True), _BEARER), not effect.during
        left = _wounds_left(condition, "while") if is_checked and condition.wounds_at_most else ""
        return " ".join(filter(None, (point, circumstances(TAKEN_POINT, condition), left)))
    is_repeated = bool(effect.during) if is_current else False
    word = "whenever" if is_repeated or (event == "damaged" and not voice.once) else "when"
    if event in KILLS:
        return f"{word} {kill_clause(event, '{B}', condition)}"
    if event in NEARBY_EVENTS:
        return f"{word} {nearby_clause(event, condition)}"
    if event not in STRIKES:
        return f"{word} {{B}} {CLAUSES.write('verb', event)}"
    verb = voice.damaging if event == "damaging" else attack_verb(event, condition)
    return f"{word} {attack_clause(verb, voice.attacker if event in ATTACKER_EVENTS else '{B}', condition)}"


def _prevents_loss(effect: Effect) -> bool:
    """Return whether it ignores points of Damage, which is decided before each is lost."""
    return bool(effect.bearer and effect.bearer.ignore) and effect.active_at == "damaged"


def attacker_subject(condition: Condition) -> str:
    """Return the attacker as a subject: 'whoever Attacks or Channels at the bearer'."""
    subject = f"any {CLAUSES.write('kind', condition.against)} that" if condition.against else "whoever"
    return attack_clause(attack_verb("attacking", condition), subject, condition, opponent="{b}")


def names_group(party: str) -> bool:
    """Return whether a party is some of the friends or enemies."""
    return PARTIES[party].is_group or PARTIES[party].is_chosen


def condition_clause(effect: Effect) -> str:
    """Return the condition of an effect outside an attack, unless its subject includes it."""
    condition, moment = effect.condition, effect.active_at
    if moment in STRIKES:
        return ""
    names_opponent = moment in KILLS or moment in _ENEMY_EVENTS
    using = "" if moment in KILLS or moment == "enemy_attacking" else weapon_phrase("whereabout", condition)
    is_foe = bool(effect.enemies or effect.enemy) and moment not in NEARBY_EVENTS
    is_against = condition.against and not names_opponent and not is_foe
    against = CLAUSES.write("whereabout", Features.of(against=condition.against)) if is_against else ""
    is_measured = moment in NEARBY_EVENTS or any(names_group(name) for name, _ in effect.deeds)
    distance = "" if is_measured else distance_phrase(condition)
    return " ".join(part for part in (using, against, distance) if part)


@lru_cache(maxsize=1 << 9)
def effect_sentence(effect: Effect, voice: Voice) -> str:
    """Return one marked-up sentence for an effect."""
    head, tail = _leading_clauses(effect, voice)
    one_point = effect.active_at == "damaged"
    consequences = "; ".join(
        consequence_clause(_subject(effect, name), deeds, one_point=one_point) for name, deeds in effect.deeds
    )
    if _is_untargetable(effect):
        # '{B} cannot be Attacked by a Minion from over 12 cm'.
        verb = attack_verb("attacked", effect.condition)
        consequences = attack_clause(verb, "{B}", effect.condition, symbol="barred")
    tail.append(f"{consequences}{_ending(effect, voice.once)}")
    if effect.cost:
        cost = CLAUSES.write("part", Features.of(cost=effect.cost), {"bearer": "{the}"})
        tail = [f"{cost}: {_name_again(', '.join(filter(None, tail)))}"]
    # Whether the sentence must say that it can be used, because no 'may' of its consequences does.
    is_limited = bool(voice.once) and not _is_constant(effect)
    if is_limited and not all(is_choice(name, deeds) for name, deeds in effect.deeds):
        tail = [f"{CLAUSES.write('part', Features.of(offer=True))}: {_name_again(', '.join(filter(None, tail)))}"]
    return join_clauses([*head, *tail], voice.bearer)


def _name_again(clauses: str) -> str:
    """Name the bearer at its first mention, because 'it' could mean the thing in use."""
    return _MENTION.sub("{the}", clauses, count=1)


def _ending(effect: Effect, once: Once) -> str:
    """Return the duration, unless it comes first, and whether uses add up."""
    until = f" {_until(effect.span)}" if effect.span and not _duration_leads(effect) else ""
    if not effect.cumulative:
        return f"{until} {CLAUSES.write('part', Features.of(not_again=True))}"
    # It adds up if it can change the same value several times before it ends.
    recurs = effect.span in MOMENTS[effect.when].recurs and once is not True
    is_once_now = once == "turn" and effect.span == "turn"
    adds_up = recurs and not is_once_now and any(has_changes(deeds) for _, deeds in effect.deeds)
    return f"{until} {CLAUSES.write('part', Features.of(adds_up=True))}" if adds_up else until


def _until(span: str) -> str:
    return CLAUSES.write("part", Features.of(span=span), _NEXT)


def _leading_clauses(effect: Effect, voice: Voice) -> tuple[list[str], list[str]]:
    """Return the clauses before the choice to use it, and those between it and the consequences."""
    condition = effect.condition
    test = CLAUSES.write("part", Features.of(test=condition.test), _BEARER) if condition.test else ""
    dice = {name: faces for name in ("same_roll", "roll") if (faces := getattr(condition, name))}
    rolls = [
        CLAUSES.write("part", Features.of(**{name: Series(faces)}), {"faces": die_faces(faces)})
        for name, faces in dice.items()
    ]
    state, roll = _state_clauses(effect), ", ".join(filter(None, [*rolls, test]))
    until = _until(effect.span) if effect.span and _duration_leads(effect) else ""
    is_elsewhere = _attacker_is_subject(effect) or _is_untargetable(effect)
    trigger = "" if is_elsewhere else _trigger_clause(effect, effect.active_at, voice, is_current=True)
    details = [trigger, condition_clause(effect)]
    if not effect.during:
        return [*details, *state], [roll, until]
    if effect.when in TURN_EVENTS and not (state or roll or voice.once):
        moment = CLAUSES.write("moment", effect.when, _OWNER)
        return [f"from {moment} to {CLAUSES.write('span', effect.span, _NEXT)}"], details
    return [_trigger_clause(effect, effect.when, voice, is_current=False), *state], [roll, until, *details]


def _state_clauses(effect: Effect) -> list[str]:
    """Return the conditions on the Wounds left, unless the trigger includes it, and on Moves."""
    condition = effect.condition
    conjunction = "while" if _is_constant(effect) else "if"
    clauses = []
    if condition.wounds_at_most and not (_prevents_loss(effect) and not effect.during):
        clauses.append(_wounds_left(condition, conjunction))
    words = {**_BEARER, **_OWNER, "if": conjunction}
    named = {key: value for key in _STATES if (value := getattr(condition, key)) is not None}
    if condition.turns:
        named["turns"] = Series(condition.turns)
        words["faces"] = die_faces(condition.turns)
    return [*clauses, *(CLAUSES.write("part", Features.of(**{key: value}), words) for key, value in named.items())]


def _wounds_left(condition: Condition, conjunction: str) -> str:
    return CLAUSES.write("part", Features.of(wounds=condition.wounds_at_most), {**_BEARER, "if": conjunction})


def _is_constant(effect: Effect) -> bool:
    return effect.when == "always" and not effect.span


def _duration_leads(effect: Effect) -> bool:
    """Return whether the duration comes first: for recurring moments or several subjects."""
    return bool(effect.during) or len(effect.deeds) > 1


def _attacker_is_subject(effect: Effect) -> bool:
    """Return whether 'whoever Attacks the bearer' is the only subject."""
    attacker_only = [name for name, _ in effect.deeds] == ["attacker"] and effect.active_at == "attacked"
    condition = effect.condition
    needs_more = condition.wounds_at_most or condition.takes_chance or _state_clauses(effect)
    return attacker_only and (bool(effect.during) or not needs_more)


def _is_untargetable(effect: Effect) -> bool:
    """Return whether 'cannot be Attacked' is all that the sentence says of an attack."""
    own = effect.bearer if [name for name, _ in effect.deeds] == ["bearer"] else None
    is_all = own is not None and own.keys == ("targeted",)
    return is_all and effect.active_at == "attacked" and bool(effect.during or not effect.span)


def _subject(effect: Effect, name: str) -> Subject:
    """Return the subject for a party of the effect."""
    change_verb = "has" if _is_constant(effect) else "gets"
    if _attacker_is_subject(effect):
        names_event = bool(effect.during or not effect.span)
        return Subject(attacker_subject(effect.condition), change_verb, names_event=names_event)
    if names_group(name):
        party = PARTIES[name]
        is_own = party.side is Side.OWN
        return Subject(_group_noun(effect, name), change_verb, plural=party.is_group, is_own=is_own)
    if name == "bearer":
        names_opponent = effect.condition.against and effect.active_at in STRIKES | KILLS
        names_opponent = names_opponent or bool(_OPPONENT_EVENTS & {effect.when, effect.during})
        names_opponent = names_opponent or any(getattr(effect.condition, key) is not None for key in _ASIDES)
        return Subject("{the}" if names_opponent else "{B}", change_verb, is_own=True)
    is_act = name == "actor" and effect.active_at in ENEMY_ACTS
    return Subject(CLAUSES.write("party", Features.of(who="that" if is_act else name)), change_verb)


def _group_noun(effect: Effect, name: str) -> str:
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
    return CLAUSES.write("party", Features(sorted(group.items())), style="away")


ENEMY_NOUNS = {
    "enemy": ("enemy", "enemies"),
    "character": ("enemy Character", "enemy Characters"),
    "minion": ("enemy Minion", "enemy Minions"),
}
OWN_NOUNS = {"enemy": "miniatures", "character": "Characters", "minion": "Minions"}
WEAPON_NOUNS = {"CW": "a CW", "RW": "an RW", "P": "a Power", "ruling": "a weapon of the type that you agreed on"}
TIME_CLAUSES = {
    "move": "in one Move",
    "turn": "in one turn",
    "battle": "",
    "survive turn": "at the end of a turn",
    "survive battle": "at the end of the battle",
    "control turn": "at the end of a turn",
}
# The verb for you, and for one of your Characters.
EVENT_VERBS = {
    "eliminate": ("eliminate", "eliminates"),
    "damage": ("Damage", "Damages"),
    "attack": ("Attack", "Attacks"),
    "resist": ("resist the Penetration of", "resists the Penetration of"),
    "pass": ("pass through", "passes through"),
    "control": ("Control the center of the battle zone", "Controls the center of the battle zone"),
    "raid": (
        "Move a Character into the enemy’s deployment zone and out of it again",
        "Moves into the enemy’s deployment zone and out of it again",
    ),
    "retreat": (
        "Move a Character from inside the Range of {} to outside it, and it is not hit",
        "Moves from inside the Range of {} to outside it, and is not hit",
    ),
}
PLACES = {"zone": "from your own deployment zone", "cover": "from cover"}


def goal_sentence(goal: Earn, weapon_types: Sequence[str] = ()) -> str:
    """Return one sentence for the objective of a mission.

    The weapon types, if any, are those that a ruling allows; they take the place of the one that the objective names.
    """
    clause = " ".join([_goal_clause(goal), *_qualifiers(goal, weapon_types)])
    back = f"then Move{'s' if goal.by == 'one' else ''} back into {goal.then}" if goal.then else ""
    return join_clauses([_time_clause(goal), clause, back])


def _time_clause(goal: Earn) -> str:
    """Return in what time it happens."""
    time = TIME_CLAUSES.get(f"{goal.event} {goal.within}", TIME_CLAUSES[goal.within])
    if goal.turns == 1 or goal.within != "turn":
        return time
    several = f"{number_in_words(goal.turns)} turns in a row"
    return f"at the end of each of {several}" if time.startswith("at the end") else f"in each of {several}"


def _goal_clause(goal: Earn) -> str:
    """Return who does what to whom, and how often: 'you Attack enemies two or more times'."""
    alone, (one, several) = goal.by == "one", ENEMY_NOUNS[goal.of]
    number, different = f"{number_in_words(goal.count)} or more", "different " if goal.different else ""
    is_single = goal.count == 1 and not goal.different
    if goal.event == "survive":
        return (
            f"{number} of your {different}{OWN_NOUNS[goal.of]} still stand{' thanks to one of them' if alone else ''}"
        )
    who, verb = "one of your Characters" if alone else "you", EVENT_VERBS[goal.event][alone]
    if goal.event in ("control", "raid", "retreat"):
        weapon = f"an {one}{' weapon' if goal.of == 'enemy' else '’s weapon'}"
        rivals = "" if goal.of == "enemy" or goal.event == "retreat" else f" against {several}"
        return f"{who} {verb.format(weapon)}{rivals}{'' if is_single else f' {number} {different}times'}"
    if goal.event == "resist" and is_single:
        whom = "an enemy Attack" if goal.of == "enemy" else f"an Attack by an {one}"
    elif goal.event == "resist":
        is_any = goal.of == "enemy" and not goal.different
        whom = f"{number} enemy Attacks" if is_any else f"{number} Attacks by {different}{several}"
    elif goal.different or (goal.event in ("eliminate", "pass") and not is_single):
        whom = f"{number} {different}{several}"
    else:
        whom = f"an {one}" if is_single else f"{several} {number} times"
    return f"{who} {verb} {whom}"


def _qualifiers(goal: Earn, weapon_types: Sequence[str]) -> list[str]:
    """Return by how many, with what, from where, and before whom."""
    parts = ["and none has fallen"] if goal.everyone else []
    if goal.attackers > 1:
        then = " in that turn" if goal.within == "turn" else ""
        parts.append(f"that {number_in_words(goal.attackers)} or more of your Characters have Attacked{then}")
    origin = [PLACES[goal.origin]] if goal.origin else []
    weapon = (
        [f"with {' or '.join(WEAPON_NOUNS[each] for each in weapon_types or (goal.weapon,))}"] if goal.weapon else []
    )
    # A place after a weapon with a clause of its own would belong to that clause.
    parts += [*origin, *weapon] if goal.weapon == "ruling" else [*weapon, *origin]
    parts += _distances(goal)
    if goal.rescue:
        parts.append("with a Reaction that stops its Attack on another of your Characters")
    if goal.reaction:
        parts.append("in a Reaction")
    if goal.event == "pass":
        parts.append("without failing a Test")
    if goal.turns > 1 and goal.within != "turn":
        parts.append(f"in each of {number_in_words(goal.turns)} turns in a row")
    if goal.first:
        parts.append("before the other side does")
    return parts


def _distances(goal: Earn) -> list[str]:
    """Return how far away the target is, or the center."""
    place = "the center" if goal.event == "control" else "the attacker"
    over, within = (None if cm is None else centimetres(cm) for cm in (goal.range_over, goal.range_within))
    parts = [f"more than {over} away from {place}"] if over else []
    if within and goal.event == "control":
        return [*parts, f"with a Character within {within} of it"]
    return [*parts, f"within {within} of {place}"] if within else parts


THE_BEARER = "the bearer"
THIS_CHARACTER = "this Character"


def sentences(thing: Model) -> tuple[str, ...]:
    """Return one sentence for each effect, or for a mission's `earn`.

    Different effects never produce the same sentence for things of the same kind.
    """
    if isinstance(thing, Mission):
        return (goal_sentence(thing.earn),) if thing.earn else ()
    effects = getattr(thing, "effects", ())
    voice = voice_of(thing) if effects else None
    return tuple(effect_sentence(effect, voice) for effect in effects) if voice else ()


def voice_of(thing: Model) -> Voice | None:
    """Return the words for a card, ability, or weapon in sentences about its effects; None if it has none."""
    match thing:
        case Relic(once=once):
            return Voice(THE_BEARER, once=once)
        case Ability(once=once):
            return Voice(THIS_CHARACTER, once=once)
        case Weapon():
            # The words for a weapon; without Damage, its effects follow when it is used or not resisted.
            voice = Voice(THE_BEARER, attacker="it", constant="while it is used")
            if thing.damage:
                return voice
            verb = VerbPhrase("damaging-unresisted", "by") if thing.needs_test else VerbPhrase("damaging-use", "on")
            return voice._replace(damaging=verb)
    return None


def describe(thing: Model) -> str:
    """Return the marked-up text of a card, an ability, or a weapon, or ''."""
    return printed_text(thing, sentences, GLOSSARY)


def once_label(thing: object) -> str:
    """Return the limit on its use: 'Once a battle', 'Once a turn', or ''."""
    return {"turn": "Once a turn", True: "Once a battle"}.get(getattr(thing, "once", False), "")
