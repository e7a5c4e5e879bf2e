"""What the referee does with a sentence, in words."""

from __future__ import annotations

from cardgen.game import Level, Model, SentenceReading, join_words
from cardgen.rulesets.warniris.cards import Once
from cardgen.rulesets.warniris.earn import Earn
from cardgen.rulesets.warniris.effect import Effect
from cardgen.rulesets.warniris.wording.assembly import SentenceMeaning
from cardgen.rulesets.warniris.wording.clauses import CLAUSES
from cardgen.rulesets.warniris.wording.effects import GROUPS

_MOMENTS = {
    "always": "at all times",
    "battle_start": "at the start of the battle",
    "turn_start": "at the start of each turn",
    "activation_start": "at the start of its Activation",
    "activation_end": "at the end of its Activation",
    "turn_end": "at the end of each turn",
    "moving": "when it Moves",
    "attacking": "when it Attacks or Channels",
    "attacked": "when it is Attacked or Channeled at",
    "hit": "when it hits",
    "damaging": "when it deals Damage",
    "damaged": "when it takes Damage",
    "reacting": "when it Reacts",
    "resisting": "when it passes a Test to resist",
    "missed": "when an Attack or Channel at it misses",
    "resisted": "when its Attack or Channel is resisted",
    "struck": "when it is hit",
    "missing": "when its Attack or Channel misses",
    "attack_end": "when it has Attacked or Channeled",
    "friend_eliminated": "when a friend is eliminated",
    "enemy_eliminated": "when an enemy is eliminated",
    "enemy_activated": "when an enemy starts its Activation",
    "enemy_moved": "when an enemy ends a Move",
    "enemy_attacking": "when an enemy Attacks or Channels",
    "eliminated": "when it is eliminated",
    "eliminating": "when it eliminates an enemy",
}


# What the referee says, and the players do.
_BY_PLAYERS = {
    **dict.fromkeys(("move", "free_move", "push", "pull", "swap"), "Move"),
    "free_attack": "free Attack, which odds leave out",
}


def referee_of(thing: Model, reading: SentenceReading) -> str:
    """Return what the referee does with a sentence."""
    meaning = reading.value
    if isinstance(meaning, Earn):
        return "asks the players what happened" if meaning.is_reported else "decides it from the record of the battle"
    if not isinstance(meaning, SentenceMeaning) or reading.level == Level.UNREAD:
        return "leaves it to the players"
    if reading.level == Level.LOOSELY and getattr(thing, "text", None):
        return "leaves it to the players until it is accepted: cardgen fix --structure --loose"
    if not meaning.effects:
        return "counts its uses"
    return "; ".join(_procedure(effect, meaning.once or getattr(thing, "once", False)) for effect in meaning.effects)


def _procedure(effect: Effect, once: Once) -> str:
    condition = effect.condition
    first = [
        *["asks the table who is near or where it is"] * condition.asks_table,
        *["looks up who has attacked the target"] * bool(condition.assisted),
        *["asks whether to use it"] * bool(once),
        *["asks whether to lose Wounds for it"] * bool(effect.cost),
        *["rolls 1D6"] * bool(condition.roll),
        *["takes its Test"] * bool(condition.test),
        *["rolls how much"] * any(deeds.heal_die or deeds.deal_die for _, deeds in effect.deeds),
        *["asks whom it concerns"] * bool(effect.friend or effect.enemy),
        *["takes the Test that saves from it"] * any(deeds.unless for _, deeds in effect.deeds),
    ]
    done = [words for key, words in _BY_PLAYERS.items() if any(getattr(deeds, key) for _, deeds in effect.deeds)]
    lasts = f", and ends it at {CLAUSES.write('span', effect.span, {'owner': 'its'})}" if effect.span else ""
    near = any(name in GROUPS for name, _ in effect.deeds) and (
        condition.range_over is not None or condition.range_within is not None
    )
    measures = ", for those that the table measures to be near enough" if near else ""
    moves = f"; the players make the {join_words(dict.fromkeys(done), 'and')}" if done else ""
    if any(deeds.reactions == "more-others" for _, deeds in effect.deeds):
        moves += "; the players see to it that the Reactions are to different enemies"
    deed = join_words([*first, f"applies it {_MOMENTS[effect.active_at]}"], "and")
    return f"{deed}{measures}{lasts}{moves}"
