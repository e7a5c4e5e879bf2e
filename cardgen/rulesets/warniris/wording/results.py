"""The results of one die: 'on 1 to 3 it heals 1 Wound, on 4 to 6 two'."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from cardgen.game import Features
from cardgen.rulesets.warniris.wording.effect_keys import ContradictionError, Outline, without

# What the clause of a result says besides its consequences.
_KEYS = ("roll", "bare", "again", "none")
_AMOUNTS = ("heal", "deal")


class Result(NamedTuple):
    """Faces of a die, and the number of consequences before those of these faces."""

    faces: Any
    start: int


def add_result(
    meaning: Features, facts: dict[str, Any], consequences: list[Features], results: list[Result]
) -> Features:
    """Return a clause without the faces of another result of the die, which begins with it.

    'On 4 to 6 two' repeats the consequence before it with another number. Raises ContradictionError for a repetition
    of nothing, and for a second die.
    """
    if meaning.get("dice") and "roll" in facts and consequences:
        raise ContradictionError  # Another die, which its own faces follow.
    faces = meaning.get("roll")
    if not faces:
        return meaning
    if meaning.get("none"):
        facts["idle"] = (*facts.get("idle", ()), faces)
    if "roll" not in facts:
        if meaning.get("again"):
            raise ContradictionError
        return without(meaning, "none")
    every = [Result(facts["roll"], 0), *results]
    is_complete = len(consequences) > every[-1].start or every[-1].faces in facts.get("idle", ())
    is_same_die = meaning.get("bare") and not {face for each in every for face in each.faces} & {*faces}
    if not (is_complete and is_same_die):
        return without(meaning, "none")
    if meaning.get("again"):
        consequences.append(_repeated(consequences[every[-1].start :], int(meaning.get("again"))))
        results.append(Result(faces, len(consequences) - 1))
    else:
        results.append(Result(faces, len(consequences)))
    return without(meaning, *_KEYS)


def _repeated(before: Sequence[Features], amount: int) -> Features:
    """Return the only consequence of a result with another amount of Wounds or Damage."""
    if len(before) != 1:
        raise ContradictionError
    deeds = dict(before[0].get("deeds"))
    if len(deeds) != 1 or not deeds.keys() <= {*_AMOUNTS}:
        raise ContradictionError
    changed = Features((key, amount) for key in deeds)
    return Features(sorted({**dict(before[0]), "deeds": changed}.items()))


def by_result(outline: Outline, results: Sequence[Result]) -> Iterator[Outline]:
    """Yield an outline for each result that does something; the first one has the die.

    Raises ContradictionError for a result without consequences, unless the text says that there are none.
    """
    idle, key = outline.facts.get("idle", ()), "roll"
    every = [Result(outline.facts["roll"], 0), *results, Result((), len(outline.consequences))]
    facts = {name: value for name, value in outline.facts.items() if name not in ("roll", "idle")}
    for each, following in pairwise(every):
        own = outline.consequences[each.start : following.start]
        if bool(own) == (each.faces in idle):
            raise ContradictionError
        if own:
            yield outline._replace(facts={**facts, key: each.faces}, consequences=own)
            key = "same_roll"
