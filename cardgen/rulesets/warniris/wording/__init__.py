"""Printed card text: the card's own, or sentences generated from its effects."""

from __future__ import annotations

from cardgen.game import Model, printed_text
from cardgen.rulesets.warniris.cards import Ability, Mission, Relic
from cardgen.rulesets.warniris.effect import Weapon
from cardgen.rulesets.warniris.rulebook import GLOSSARY
from cardgen.rulesets.warniris.wording.effects import VerbPhrase, Voice, effect_sentence, goal_sentence

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
            return _weapon_voice(thing)
    return None


def _weapon_voice(weapon: Weapon) -> Voice:
    """Return the words for a weapon; without Damage, its effects follow when it is used or not resisted."""
    voice = Voice(THE_BEARER, attacker="it", constant="while it is used")
    if weapon.damage:
        return voice
    verb = VerbPhrase("damaging-unresisted", "by") if weapon.needs_test else VerbPhrase("damaging-use", "on")
    return voice._replace(damaging=verb)


def describe(thing: Model) -> str:
    """Return the marked-up text of a card, an ability, or a weapon, or ''."""
    return printed_text(thing, sentences, GLOSSARY)


def once_label(thing: object) -> str:
    """Return the limit on its use: 'Once a battle', 'Once a turn', or ''."""
    return {"turn": "Once a turn", True: "Once a battle"}.get(getattr(thing, "once", False), "")
