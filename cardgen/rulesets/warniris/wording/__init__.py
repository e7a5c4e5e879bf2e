"""Printed card text: the card's own, or sentences generated from its effects."""

from __future__ import annotations

from cardgen.game import Model, printed_text
from cardgen.rulesets.warniris.cards import Ability, Mission, Relic
from cardgen.rulesets.warniris.effect import Effect, Weapon
from cardgen.rulesets.warniris.rulebook import GLOSSARY
from cardgen.rulesets.warniris.wording.effects import effect_sentence
from cardgen.rulesets.warniris.wording.missions import goal_sentence

THE_BEARER = "the bearer"
THIS_CHARACTER = "this Character"


def sentences(thing: Model) -> tuple[str, ...]:
    """Return one sentence for each effect, or for a mission's `earn`.

    Different effects never produce the same sentence for things of the same kind.
    """
    match thing:
        case Mission(earn=earn) if earn:
            return (goal_sentence(earn),)
        case Relic(effects=effects):
            return _effect_sentences(effects, THE_BEARER)
        case Ability(effects=effects):
            return _effect_sentences(effects, THIS_CHARACTER)
        case Weapon(effects=effects):
            return _effect_sentences(effects, THE_BEARER, striker="it")
    return ()


def _effect_sentences(effects: tuple[Effect, ...], bearer: str, striker: str = "{B}") -> tuple[str, ...]:
    return tuple(effect_sentence(effect, bearer, striker) for effect in effects)


def describe(thing: Model) -> str:
    """Return the marked-up text of a card, an ability, or a weapon, or ''."""
    return printed_text(thing, sentences, GLOSSARY)


def once_label(thing: Model) -> str:
    """Return the limit on its use: 'Once a battle', 'Once a turn', or ''."""
    return {"turn": "Once a turn", True: "Once a battle"}.get(getattr(thing, "once", False), "")
