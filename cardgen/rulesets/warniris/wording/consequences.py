"""Clauses for consequences: 'takes 1 Damage', 'may re-roll a failed Test to hit'."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.game import Features, italic_name, join_words
from cardgen.rulesets.warniris.effect import Deeds
from cardgen.rulesets.warniris.weapon_line import Profile
from cardgen.rulesets.warniris.wording.clauses import CLAUSES

CHANGED_STATS = ("mind", "body", "spirit", "movement", "range", "penetration", "damage")
# What happens without a choice, and has no number.
FREEDOMS = (
    *("between", "gaps", "crossing", "reactions", "healing", "targeted", "answered", "fails", "halved", "wounds"),
    "score",
)
# Where somebody may be set, and what it may do for free.
_OFFERS = ("free_move", "push", "pull", "swap", "free_attack")
PLURAL_VERBS = {
    "Moves": "Move",
    "gets": "get",
    "has": "have",
    "regains": "regain",
    "takes": "take",
    "ignores": "ignore",
    "starts": "start",
    "scores": "score",
    "loses": "lose",
}


class Subject(NamedTuple):
    """A party that an effect applies to.

    `is_own` is true if the bearer's side chooses what it does, `change_verb` is the verb before a change of values, and
    `names_event` is true if the noun already names the action that the change applies to.
    """

    noun: str
    change_verb: str
    plural: bool = False
    is_own: bool = False
    names_event: bool = False


def has_changes(deeds: Deeds) -> bool:
    """Return whether deeds change a value for a while."""
    return any(getattr(deeds, name) for name in CHANGED_STATS)


def is_choice(party: str, deeds: Deeds) -> bool:
    """Return whether the sentence says 'may' for everything that happens to a party."""
    is_own = party in ("bearer", "friends")
    offers_other = deeds.weapon or deeds.actions or (deeds.reroll and is_own)
    is_free = any(getattr(deeds, name) for name in FREEDOMS)
    is_forced = (
        deeds.most_healed or deeds.most_dealt or deeds.ignore or has_changes(deeds) or (deeds.reroll and not is_own)
    )
    return bool(deeds.move or any(getattr(deeds, name) for name in _OFFERS) or offers_other) and not (
        is_forced or is_free
    )


def consequence_clause(subject: Subject, deeds: Deeds, *, one_point: bool) -> str:
    """Return 'enemies within 5 cm take 1 Damage'.

    `one_point` is true if the sentence is about a single point of Damage, which can be ignored.
    """
    phrases = [*_forced_phrases(deeds, one_point=one_point), *_choice_phrases(deeds, is_own=subject.is_own)]
    changes = _stat_changes(deeds)
    if changes:
        verb = "does so at" if subject.names_event and not phrases else subject.change_verb
        phrases.append(f"{verb} {join_words(changes, 'and', serial_comma=False)}")
    words = list(map(_plural_phrase, phrases) if subject.plural else phrases)
    clause = f"{subject.noun} {join_words(words, 'and', serial_comma=False)}" if words else ""
    return f"{_with_shift(subject, clause, deeds)}{_saving_test(deeds, is_plural=subject.plural)}"


def _with_shift(subject: Subject, clause: str, deeds: Deeds) -> str:
    """Return a clause, and after it that the bearer's player may shift somebody else."""
    if not deeds.move or subject.is_own:
        return clause
    noun = ("them" if subject.plural else "it") if clause else subject.noun
    return f"{clause}{', and ' if clause else ''}you may {_shift_phrase(noun, deeds.move)}"


def _saving_test(deeds: Deeds, *, is_plural: bool) -> str:
    """Return ' unless it passes a Body Test', or ''."""
    saved = Features.of(unless=deeds.unless)
    words = CLAUSES.write("saved", saved, style="several" if is_plural else "") if deeds.unless else ""
    return f"{',' if is_plural else ''} {words}" if words else ""


def _shift_phrase(noun: str, distance: int) -> str:
    """Return 'shift it up to 3 cm without Tests'."""
    return " ".join(filter(None, ("shift", noun, CLAUSES.write("shift", distance))))


def _stat_changes(deeds: Deeds) -> list[str]:
    """Return the changes: '+1 Mind', '−5 cm Movement'."""
    changed = {name: getattr(deeds, name) for name in CHANGED_STATS if getattr(deeds, name)}
    return [CLAUSES.write("change", Features.of(**{name: by})) for name, by in changed.items()]


def _forced_phrases(deeds: Deeds, *, one_point: bool) -> list[str]:
    """Return what happens without a choice."""
    phrases = [
        Features.of(**{name: by}) for name in ("heal", "heal_die", "deal", "deal_die") if (by := getattr(deeds, name))
    ]
    if deeds.ignore:
        phrases.append(Features.of(ignore=deeds.ignore, **{"point": True} if one_point else {}))
    phrases += [Features(((name, value),)) for name in FREEDOMS if (value := getattr(deeds, name))]
    return [CLAUSES.write("deed", phrase, {"more": str(deeds.ignore - 1)}) for phrase in phrases]


def _choice_phrases(deeds: Deeds, *, is_own: bool) -> list[str]:
    """Return what the bearer's side may do, and what others must do."""
    phrases = []
    if deeds.move and is_own:
        phrases.append(CLAUSES.write("deed", Features.of(move=deeds.move, shifter="own")))
    offers = [Features(((name, value),)) for name in _OFFERS if (value := getattr(deeds, name))]
    phrases += [CLAUSES.write("deed", offer, {"bearer": "{the}"}) for offer in offers]
    if deeds.reroll:
        duty = {"may": True} if is_own else {"must": True}
        phrases.append(CLAUSES.write("deed", Features.of(reroll=deeds.reroll, **duty)))
    if deeds.weapon:
        lent = {"profile": _lent_weapon(deeds.weapon)}
        phrases.append(CLAUSES.write("deed", Features.of(weapon=deeds.weapon.name), lent))
    if deeds.actions:
        phrases.append(CLAUSES.write("deed", Features.of(actions=deeds.actions)))
    return phrases


def _lent_weapon(weapon: Profile) -> str:
    """Return '*Claws* (CW R1 D2)'."""
    return f"{italic_name(weapon.name)} ({weapon.line})"


def _plural_phrase(phrase: str) -> str:
    verb, rest = phrase.split(" ", 1)
    return f"{PLURAL_VERBS.get(verb, verb)} {rest}"
