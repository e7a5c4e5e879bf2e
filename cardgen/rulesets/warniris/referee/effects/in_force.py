"""Effects that a thing has, be it by its keys or by its text."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.rulesets.warniris.cards import Ability, Once, Relic
from cardgen.rulesets.warniris.effect import Effect, Weapon


class EffectsInForce(NamedTuple):
    """Effects, and how often they can be used."""

    effects: tuple[Effect, ...]
    once: Once


def effects_in_force(thing: Relic | Ability | Weapon) -> EffectsInForce:
    """Return the effects of a thing and how often it can be used; those of its text if it has none of its own.

    A text counts if each of its sentences was read exactly.
    """
    if thing.text and not thing.effects:
        # loaded here because it is not small, and few cards need it
        from cardgen.rulesets.warniris.wording.reader import effects_of_text

        read = effects_of_text(thing)
        if read:
            return EffectsInForce(read.effects, read.once)
    return EffectsInForce(thing.effects, getattr(thing, "once", False))
