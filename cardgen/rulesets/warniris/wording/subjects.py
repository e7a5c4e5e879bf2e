"""Whom the clauses of a sentence speak of: 'it', 'that enemy', everybody, and a clause without a subject."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from cardgen.game import Features, Token
from cardgen.rulesets.warniris.wording.effect_keys import ContradictionError, without
from cardgen.rulesets.warniris.wording.effects import Voice

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
_SIDES = ("friends", "enemies")


class Scene(NamedTuple):
    """What was said before a clause.

    `before` are the words of the sentence, `earlier` those of the sentence before it, `chosen` the party that was
    chosen, `gone` the nouns for those who are eliminated, `asides` the tokens of clauses about who is near,
    `own_asides` those of them with the bearer as their subject, and `opponent` the party of 'that enemy' at the moment
    of an attack.
    """

    before: Sequence[Token]
    voice: Voice
    earlier: Sequence[str]
    chosen: Features | None
    gone: frozenset[str]
    asides: frozenset[int] = frozenset()
    opponent: Features | None = None
    own_asides: frozenset[int] = frozenset()


def resolve_subjects(consequences: Any, scene: Scene, *, is_first: bool) -> Iterator[Features]:
    """Yield the consequences with their parties; ContradictionError for a subject that could mean two."""
    for given in consequences:
        each = _unfold(given)
        who = each.get("who")
        if who == "everyone":
            yield from (_of_party(each, side) for side in _SIDES)
        elif who == "side":
            yield from (_of_party(without(each, "near"), "bearer"), _of_party(each, "friends"))
        elif who == "attack":
            yield _of_party(each, _wielder(scene))
        elif who == "that" or (who in ("it", "he") and scene.chosen is not None):
            party = scene.chosen or scene.opponent
            if party is None:
                raise ContradictionError
            yield Features(sorted({**dict(party), **dict(without(each, "who"))}.items()))
        elif who in ("it", "he") and scene.opponent is not None and _addresses_bearer(scene):
            yield Features(sorted({**dict(scene.opponent), **dict(without(each, "who"))}.items()))
        elif who in ("it", "he", "implied"):
            _require_bearer(each, scene, is_first=is_first)
            yield _of_party(each, "bearer")
        else:
            yield each


def _unfold(consequence: Features) -> Features:
    """Return a consequence with the deeds and the weapon of a clause that names both at once."""
    flat = consequence.get("flat")
    if flat is None:
        return consequence
    deeds = without(flat, "weapon")
    return Features(
        sorted({**dict(without(consequence, "flat")), "weapon": flat.get("weapon"), "deeds": deeds}.items())
    )


def _wielder(scene: Scene) -> str:
    """Return who makes the attack of the last moment."""
    if scene.opponent is None:
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
