"""Whom the clauses of a sentence speak of: 'it', 'that enemy', everybody, and a clause without a subject."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from cardgen.game import Features, Token
from cardgen.rulesets.warniris.wording.effect_keys import ContradictionError, without
from cardgen.rulesets.warniris.wording.effects import TURN_EVENTS, Voice

# Singular nouns that 'it' could mean, besides the bearer.
_RIVALS = frozenset({"target", "attacker", "enemy", "opponent", "friend", "minion", "character", "foe"})
# The nouns for those who are gone at a moment, so that 'it' does not mean them.
GONE = {
    "eliminating": ("enemy",),
    "eliminating-kind": ("enemy", "minion", "character"),
    "enemy_eliminated": ("enemy", "minion", "character"),
    "friend_eliminated": ("friend",),
}
# What players do: 'you may', 'if you wish', 'you roll'.
_OF_PLAYERS = frozenset({"may", "do", "must", "want", "wish", "like", "choose", "throw", "declare"})
_MINIATURES = frozenset({"character", "miniature", "minion"})
# Words that name the bearer, or what belongs to it.
_OF_BEARER = frozenset({"bearer", "this", "you", "your", "its", "his", "her"})
_SIDES = ("friends", "enemies")


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
    """Yield the consequences with their parties; ContradictionError for a subject that could mean two."""
    for given in consequences:
        each = _unfold(given)
        who = each.get("who")
        if who == "everyone":
            yield from (_of_party(each, side) for side in _SIDES)
        elif who == "side":
            yield from (_of_party(without(each, "near"), "bearer"), _of_party(each, "friends"))
        else:
            yield _resolve(each, str(who), scene, is_first=is_first)


def _resolve(consequence: Features, who: str, scene: Scene, *, is_first: bool) -> Features:
    """Return a consequence with its party."""
    if who in ("act", "attack"):
        return _of_party(consequence, _doer(who, scene))
    if who in ("that", "it", "he") and (named := _named_before(consequence, who, scene)):
        return named
    if who in ("it", "he", "implied"):
        _require_bearer(consequence, scene, is_first=is_first)
        return _of_party(consequence, "bearer")
    return consequence


def _named_before(consequence: Features, who: str, scene: Scene) -> Features | None:
    """Return a consequence for the one that was chosen, or that acts at the moment, if it is about that one."""
    if who == "that" or scene.chosen is not None:
        return _of_features(consequence, scene.chosen or scene.opponent)
    if scene.opponent is not None and _addresses_bearer(scene):
        return _of_features(consequence, scene.opponent)
    return _after_act(consequence) if scene.opponent == _ACTOR else None


def _of_features(consequence: Features, party: Features | None) -> Features:
    if party is None:
        raise ContradictionError
    return Features(sorted({**dict(party), **dict(without(consequence, "who"))}.items()))


_ACTOR = Features.of(who="actor")
# What nobody would write of the bearer at a moment of an enemy.
_HARM = frozenset({"deal", "deal_die", "halved", "healing", "fails"})


def _after_act(consequence: Features) -> Features:
    """Return a consequence of what an enemy does: 'it' is that enemy if it is harmed, and 'he' the bearer if not.

    Raises ContradictionError for the others, which could be either.
    """
    is_harm = _is_harmful(consequence)
    if is_harm != (consequence.get("who") == "it"):
        raise ContradictionError
    return _of_party(consequence, "actor" if is_harm else "bearer")


def _is_harmful(consequence: Features) -> bool:
    deeds = dict(consequence.get("deeds"))
    return bool(deeds.keys() & _HARM) or any(isinstance(each, int) and each < 0 for each in deeds.values())


def _names_anybody(scene: Scene) -> bool:
    """Return whether a word before a clause names a fighter or speaks of its acts, so that 'it' stands for somebody."""
    words = {*scene.earlier, *(token.word for token in scene.before)}
    return scene.event not in ("", *TURN_EVENTS) or bool(words & _OF_BEARER)


def _unfold(consequence: Features) -> Features:
    """Return a consequence with the deeds and the weapon of a clause that names both at once."""
    flat = consequence.get("flat")
    if flat is None:
        return consequence
    deeds = without(flat, "weapon")
    return Features(
        sorted({**dict(without(consequence, "flat")), "weapon": flat.get("weapon"), "deeds": deeds}.items())
    )


def _doer(who: str, scene: Scene) -> str:
    """Return who makes the attack of the last moment, or the enemy whose act it is."""
    if who == "act" and scene.event == "enemy_attacking":
        return "actor"
    if who == "act" or scene.opponent in (None, _ACTOR):
        raise ContradictionError
    return "attacker" if scene.opponent.get("who") == "attacker" else "bearer"


def _addresses_bearer(scene: Scene) -> bool:
    """Return whether the bearer is 'you', so that nobody else can be."""
    words = [*scene.earlier, "", *(token.word for token in scene.before), ""]
    return any(
        (word == "your" and after not in _MINIATURES) or (word == "you" and after not in _OF_PLAYERS)
        for word, after in pairwise(words)
    )


def _require_bearer(consequence: Features, scene: Scene, *, is_first: bool) -> None:
    """Raise ContradictionError if a clause could be about somebody else than the bearer; 'you' is nobody but it."""
    if consequence.get("who") != "implied" and _addresses_bearer(scene):
        raise ContradictionError
    if _RIVALS.intersection(scene.earlier) and not _words(scene) & {"bearer"}:
        raise ContradictionError
    if consequence.get("who") == "implied":
        if not is_first or scene.chosen is not None:
            raise ContradictionError
        return
    if consequence.get("who") == "it" and _is_harmful(consequence) and not _names_anybody(scene):
        raise ContradictionError
    words = _words(scene, skipped=scene.asides if consequence.get("who") == "he" else scene.own_asides)
    is_object = consequence.get("deeds").get("shifter") == "you" and not is_first
    is_weapon = scene.voice.attacker == "it" and "bearer" not in words
    if is_object or is_weapon or words & (_RIVALS - scene.gone):
        raise ContradictionError


def _words(scene: Scene, skipped: frozenset[int] = frozenset()) -> set[str]:
    """Return the words before a clause, without those after 'this'; 'he' is nobody of a clause about who is near."""
    before = scene.before
    return {
        token.word
        for index, token in enumerate(before)
        if index not in skipped and not (index and _is_bearer(before[index - 1].word, token.word))
    }


def _is_bearer(before: str, word: str) -> bool:
    """Return whether two words mean the bearer: 'this' and a noun, or 'your Character'."""
    return before == "this" or (before in ("your", "the") and word in _MINIATURES)


def _of_party(consequence: Features, who: str) -> Features:
    return Features(sorted({**dict(consequence), "who": who}.items()))
