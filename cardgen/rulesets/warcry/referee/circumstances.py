"""What a battle trait gives in one attack: its changes whose conditions hold, and what is said of all others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from cardgen.game import Assumed, Idle, quantity
from cardgen.rulesets.warcry.cards import Blessing, Fighter, Rule, Trait
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.effective import (
    USE_SPANS,
    changes_of,
    conditions_of,
    introduces,
    is_by_chance,
    is_followed,
    is_limit,
    is_simple,
    limit_of,
    passive_rules,
    why_not,
)
from cardgen.rulesets.warcry.referee.fighter import FighterStats
from cardgen.rulesets.warcry.referee.relevance import Role, can_bear, deeds_of
from cardgen.rulesets.warcry.selections import CONDITION_STATES, Condition, Moment, is_in
from cardgen.rulesets.warcry.wording.sentences import condition_phrase, given, sentences


@dataclass(frozen=True, slots=True)
class Standing:
    """A fighter with a battle trait in an attack, and what is known of it.

    `options` are those of the trial that say more of the attacker; the target has none. `in_activation` is true if the
    attack is one of several, and `has_use` if the fighter has an ability, or makes a reaction.
    """

    card: Fighter
    stats: FighterStats
    trait: Trait | None
    blessing: Blessing | None
    damage: int
    is_target: bool
    cover: bool | None = None
    in_activation: bool = False
    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    has_use: bool = False

    @property
    def role(self) -> Role:
        """What it does in the trial."""
        return Role(self.is_target, self.in_activation, self.has_use)


# What is known of a fighter, by keys of conditions, or None. Those with an option get its value first.
_STATES: Mapping[str, Callable[[Standing, Any], bool | None]] = {
    "damaged": lambda who, least: who.damage >= least,
    "unhurt": lambda who, _: who.damage == 0,
    "wounds_left": lambda who, most: who.stats.wounds - who.damage <= most,
    "half_wounds": lambda who, _: 2 * who.damage >= who.stats.wounds,
    "standing": lambda who, _: True,
    "present": lambda who, _: True,
    "cover": lambda who, _: who.cover,
    "runemarks": lambda who, marks: not who.card.marks.isdisjoint(marks),
    "cost": lambda who, most: who.card.points + (who.blessing.price(who.card) if who.blessing else 0) <= most,
}
_BY_OPTION: Mapping[str, Callable[[Any, Condition], bool]] = {
    "moved": lambda moved, _: moved,
    "still": lambda moved, _: not moved,
    "dropped": lambda inches, condition: inches >= (condition.dropped or 0),
    "rounds": lambda number, condition: is_in(number, condition.rounds),
    "friend_within": lambda count, condition: count >= condition.friends,
    "no_friend_within": lambda count, _: count == 0,
}
CONDITION_STATES.require_all(_BY_OPTION, lambda state: state.option)


def _answer(who: Standing, key: str, condition: Condition) -> bool | None:
    state = CONDITION_STATES[key]
    if who.in_activation and not state.is_settled:
        return None
    if state.option:
        said = who.options.get(state.option)
        return None if said is None else _BY_OPTION[key](said, condition)
    return _STATES[key](who, getattr(condition, key)) if key in _STATES else None


class _PlacedChange(NamedTuple):
    """A change with its moment, that of one before, and its words, alone and with those of what leads to it."""

    change: Change
    moment: Moment | None
    words: str
    whole: str


class _LeftOutError(Exception):
    """A change that does not count in an attack; `note` says why."""

    def __init__(self, note: str) -> None:
        super().__init__(note)
        self.note = note


def _in_force(who: Standing, placed: _PlacedChange, rule: Trait | Rule) -> Change:
    """Return a change as one that always applies. Raises _LeftOutError if it does not count in an attack."""
    change, moment, words, whole = placed
    name, not_applied = rule.name, f"'{rule.name}' is not applied: {whole}"
    conditions, is_limited = conditions_of(change), limit_of(who.trait, rule) is not None
    if (
        not is_followed(change)
        or is_by_chance(rule)
        or (change.incoming and not who.is_target)
        or (change.next and moment is None)
        or conditions is None
        or (who.in_activation and (is_limited or change.next or moment))
    ):
        raise _LeftOutError(not_applied)
    for condition, wanted in conditions:
        keys = [key for key in given(condition) if key != "of" and not CONDITION_STATES[key].detail_of]
        answers = [_answer(who, key, condition) for key in keys]
        holds = False if False in answers else None if None in answers else True
        if holds is not wanted:
            options = {CONDITION_STATES[key].option for key in given(condition) if key != "of"} - {""}
            options = set() if who.is_target or who.in_activation else options
            if holds is None and not options:
                raise _LeftOutError(not_applied)
            phrase = condition_phrase(condition.model_copy(update={"of": "self"}), who.card.name)
            said = "".join(f" (--{each.replace('_', '-')})" for each in sorted(options))
            if "cost" in keys and who.blessing:
                points = who.card.points + who.blessing.price(who.card)
                said += f"; with '{who.blessing.name}', it costs {points} (ruling blessing-cost)"
            raise _LeftOutError(Idle(f"'{name}' {'counts only' if wanted else 'does not count'} if {phrase}{said}"))
    weapon = change.weapon
    if moment and moment.event == "targeted" and who.is_target:
        weapon = moment.attack if weapon == "any" and moment.attack != "anything" else weapon
    elif moment and not who.options.get("triggered"):
        waits = Idle(f"'{name}' counts only after its moment (--triggered): {words}")
        raise _LeftOutError(not_applied if who.is_target else waits)
    return change.for_fighter().model_copy(update={"weapon": weapon, "incoming": False, "target": None})


class TraitInAttack(NamedTuple):
    """What a battle trait gives in an attack: changes of its fighter and of attacks on it, and notes.

    `dealt` are the damage points that it has allocated to its own fighter just before.
    """

    own: list[Change]
    incoming: list[Change]
    notes: list[str]
    dealt: int


def trait_in_attack(who: Standing) -> TraitInAttack:
    """Return what a battle trait changes in an attack.

    What always applies is part of the fighter's numbers already. The notes say of every other rule whether it counts.
    """
    own: list[Change] = []
    incoming: list[Change] = []
    notes: list[str] = []
    dealt = 0
    for rule in passive_rules(who.trait):
        if why_not(rule, who.card.marks) or introduces(rule):
            continue
        count, left, idle, waiting = len(own) + len(incoming), list[str](), dict[str, str](), list[Moment]()
        changes = [*_with_moments(who.trait, rule)]
        bearing = [each for each in changes if can_bear(each.change, each.moment, who.role)]
        harm = [each for each in changes if each.moment and each.change.has(_HARM)]
        for each in (each for each in bearing if each not in harm):
            try:
                (incoming if each.change.incoming else own).append(_in_force(who, each, rule))
            except _LeftOutError as out:
                left.append(out.note)
                idle |= {out.note: each.whole} if isinstance(out.note, Idle) else {}
                waiting += [each.moment] if each.moment and isinstance(out.note, Idle) else []
        is_used = len(own) + len(incoming) > count
        if is_used:  # Another part of it counts.
            left = [Idle(f"{note}: {idle[note]}") if note in idle and idle[note] not in note else note for note in left]
        for each in harm:
            if is_used and (points := _dealt(who, each.change)):
                dealt += points
                said = f"'{rule.name}' has allocated {quantity(points, 'damage point')} to {who.card.name}"
                left.append(Assumed(f"{said}, beside those of --damage"))
            elif is_used or (each in bearing and not any(each.moment is moment for moment in waiting)):
                left.append(f"'{rule.name}' is not applied: {each.words if is_used else each.whole}")
        notes += [*dict.fromkeys(left)] or _more_notes(who, rule, is_used=is_used)
    if who.trait:
        notes += [f"'{rule.name}' has the price '{rule.price}'" for rule in who.trait.grants if rule.price]
    return TraitInAttack(own, incoming, notes, dealt)


# What else a trait may do to its fighter at the moment that a change of an attack waits for.
_HARM = ("deal", "heal", "taken_down")


def _dealt(who: Standing, change: Change) -> int:
    """Return how many damage points a change of the attacker's trait allocates to it; 0 if that is not known."""
    frame = change.model_fields_set - {"deal", "of", "when", "chooses"}
    is_own = not who.is_target and change.of in ("self", "subject")
    return change.deal if is_own and not frame and isinstance(change.deal, int) else 0


def _with_moments(trait: Trait | None, rule: Trait | Rule) -> Iterator[_PlacedChange]:
    """Yield the changes of a rule that do not always apply."""
    moment, lead = None, list[str]()
    changes, always = changes_of(rule), limit_of(trait, rule) is None and not is_by_chance(rule)
    for change, words in zip(changes, sentences(changes), strict=True):
        moment, lead = change.when or moment, [*lead, words] if words else lead
        if not (is_limit(change) or (is_simple(change) and always)):
            yield _PlacedChange(change, moment, words, " ".join(lead))
        lead = [] if deeds_of(change) - {"chooses"} else lead


def _more_notes(who: Standing, rule: Trait | Rule, *, is_used: bool) -> list[str]:
    """Return what is said of a rule of which nothing is left out: that it is used up, or does not bear on attacks."""
    changes, limit = changes_of(rule), limit_of(who.trait, rule)
    if is_used and any(change.target == "picked" for change in changes):
        return [Assumed(f"'{rule.name}' has picked {'the attacker' if who.is_target else 'the target'}")]
    if is_used and limit:
        return [Assumed(f"'{rule.name}' was not used before in this {USE_SPANS[limit.once or '']}")]
    if is_used or (changes and all(map(is_simple, changes)) and not limit):
        return []
    if not changes:
        return [f"'{rule.name}' has only text"] if rule.text else []
    trial = "activation" if who.in_activation else "attack"
    words = " ".join(each.words for each in _with_moments(who.trait, rule) if each.words)
    return [Idle(f"'{rule.name}' does not bear on this {trial}: {words}")]
