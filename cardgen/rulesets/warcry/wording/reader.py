"""Changes read from the text of a card, and what the referee does with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from cardgen.game import (
    Grammar,
    Level,
    Model,
    SentenceReading,
    TextReader,
)
from cardgen.rulesets.warcry.cards import Ability, Blessing, Rule, Trait
from cardgen.rulesets.warcry.changes import KEPT, KEYS, NUMBERS, Change
from cardgen.rulesets.warcry.effective import (
    HEROISM,
    before_wait,
    changes_of,
    has_use,
    in_battle,
    left_out_of_use,
    limit_of,
    price_of,
)
from cardgen.rulesets.warcry.selections import CONDITION_STATES, Condition, Group
from cardgen.rulesets.warcry.wording.consequences import read_sentences
from cardgen.rulesets.warcry.wording.draft import ATTACKER_EVENTS as ATTACKS
from cardgen.rulesets.warcry.wording.values import GRAMMAR
from cardgen.rulesets.warcry.words import ONE


def read_text(thing: Model, text: str) -> tuple[SentenceReading, ...]:
    """Return the sentences of a text of a card or rule, as far as they were read; () for a thing without changes."""
    if "changes" not in type(thing).model_fields:
        return ()
    return read_sentences(text, "blessing" if isinstance(thing, Blessing) else price_of(thing) or "")


def values(thing: Model, readings: Sequence[SentenceReading]) -> Mapping[str, object] | None:
    """Return the changes that say what a text says, or None if a sentence of it was not read, or it has changes."""
    if getattr(thing, "changes", None) or not readings or any(reading.value is None for reading in readings):
        return None
    changes = [change for reading in readings for change in reading.value]
    return {"changes": [change.model_dump(mode="json", by_alias=True, exclude_defaults=True) for change in changes]}


# What the procedures do with the rules that they know by name, whatever the texts of their cards say.
PLAYED: Mapping[str, str] = MappingProxyType({
    "counter": "plays Counter by its name, in the trials attack, activation, duel, and battle",
    "take-cover": "plays Take Cover by its name, in the trials attack, activation, and battle",
    "strike-them-down": "plays Strike Them Down by its name, in the trials disengage, activation, and battle; the "
    "players see to it that the enemy is visible",
    "inspiring-presence": "asks for the fighter in battles, and activates it next; the players see to it that it is "
    'visible and within 6"',
    HEROISM: "lends the runemark for that ability",
    "spite": "makes one reaction in each battle round of a battle free; other trials leave it to the players",
})  # fmt: skip


def referee(thing: Model, reading: SentenceReading) -> str:
    """Return what the referee does with a sentence."""
    if played := PLAYED.get(getattr(thing, "id", "")):
        return played
    if reading.level == Level.UNREAD:
        return "leaves it to the players"
    if not reading.value:
        return "does nothing for these words alone"
    assert isinstance(thing, Ability | Blessing | Rule | Trait)
    if not changes_of(thing):
        if reading.level == Level.LOOSELY:
            return "leaves it to the players, for it is only read loosely"
        return "leaves it to the players, for another sentence of the text is not read, or only loosely"
    if isinstance(thing, Blessing):
        by_players = has_use(thing)
        words = ["leaves it to the players" if by_players else _for_bearer(change) for change in reading.value]
        return "; ".join(dict.fromkeys(words))
    if price_of(thing) is None:
        is_limited = limit_of(thing if isinstance(thing, Trait) else None, thing) is not None
        done = {id(change): what for change, what in in_battle(thing, is_limited=is_limited)}
        return "; ".join(dict.fromkeys(done[id(change)] for change in changes_of(thing) if change in reading.value))
    left, now = [*left_out_of_use(thing)], before_wait(changes_of(thing))
    words = [_use(each) if each not in left else BY_PLAYERS if each in now else LATER for each in reading.value]
    return "; ".join(dict.fromkeys(words))


# What the players apply of an ability or a reaction that the referee offers.
BY_PLAYERS = "asks the players for the effect"
LATER = "shows it to the players, who apply it then"


def _for_bearer(change: Change) -> str:
    """Return what the referee does with a change of a blessing."""
    if change.wild_dice and change.is_free:
        return "adds the wild dice to those of its side"
    is_number = change.is_constant and change.of == "self" and change.has(NUMBERS)
    return "adds it to the numbers of the fighter" if is_number else "leaves it to the players"


def _use(change: Change) -> str:
    """Return what the referee does with a change of an ability or a reaction."""
    if change.only_if or change.not_if:
        return "offers the ability only while that can be true"
    if change.reacts:
        is_own = change.reacts.event in ATTACKS and not isinstance(change.reacts.of, Group)
        return "offers the reaction to such attacks" if is_own else "leaves the reaction to the players"
    steps = [key.step for key in _STEPS if getattr(change, key.name)]
    steps += [
        "checks whether it is true" if _is_known(condition) else "asks whether it is true"
        for condition in (change.condition, change.unless)
        if condition
    ]
    if change.has(NUMBERS) or change.has(KEPT):
        kept = "asks at each attack whether it counts" if change.during else "keeps it in force until its end"
        steps.append(kept if change.can_be_kept else "shows it to the players")
    return ", ".join(steps) or BY_PLAYERS


# What the match tracker knows in most cases only.
_PARTLY_KNOWN = ("took_down", "leader", "ones", "misses", "hits", "criticals")


def _is_known(condition: Condition) -> bool:
    """Return whether the match tracker always knows if a condition is true, whatever the players measure."""
    return condition.of != "leader" and all(
        key == "of" or (CONDITION_STATES[key].known & ONE and "within" not in key and key not in _PARTLY_KNOWN)
        for key in condition.model_fields_set
    )


# What the referee does with the keys of an ability or a reaction, in the order of their clauses.
_STEPS = sorted((key for key in KEYS.values() if key.step), key=lambda key: getattr(key, "place", 0))


def models(reading: SentenceReading) -> tuple[Change, ...]:
    """Return the changes of a sentence, which the checks look at."""
    return reading.value or ()


def grammar(model: type[Model]) -> Grammar | None:
    """Return the grammar of the texts of a card or a rule, or None for a thing without changes."""
    return GRAMMAR if "changes" in model.model_fields else None


READER = TextReader(read_text, values, referee, models, grammar)
