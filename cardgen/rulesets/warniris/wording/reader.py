"""Effects read from sentences, and objectives from those of missions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from cardgen.game import (
    Features,
    Grammar,
    Interpretation,
    Level,
    Model,
    Part,
    SentenceReading,
    SentenceSpan,
    TextReader,
    Token,
    join_words,
    name_end,
    read_sentence,
    split_sentences,
)
from cardgen.rulesets.warniris.cards import Ability, Earn, Mission, Once, Relic, meaningless_keys
from cardgen.rulesets.warniris.effect import DEEDS, Effect, Weapon
from cardgen.rulesets.warniris.wording.assembly import SentenceMeaning, interpret
from cardgen.rulesets.warniris.wording.clauses import CLAUSES
from cardgen.rulesets.warniris.wording.effects import (
    Voice,
    effect_sentence,
    goal_sentence,
    names_group,
    once_label,
    voice_of,
)
from cardgen.rulesets.warniris.words import MOMENTS

MISSION_CLAUSES = Grammar(Path(__file__).with_name("mission_clauses.txt"))


def read_objective(sentence: SentenceSpan) -> SentenceReading:
    """Return the sentence of a mission as it was read; its `value` is an `Earn`."""
    return read_sentence(MISSION_CLAUSES, sentence, _interpret, write=goal_sentence)


# What clauses say besides the keys of an objective.
_MISSION_FACTS = ("at_end", "from_center", "that_turn", "unfailed")
_LASTING = ("survive", "control")


def _interpret(parts: tuple[Part, ...], tokens: tuple[Token, ...]) -> Iterator[Interpretation]:
    """Yield the objective that the clauses make, unless one of them is about something else."""
    said: list[tuple[str, object]] = [
        pair for part in parts if isinstance(part.meaning, Features) for pair in part.meaning
    ]
    keys = dict(said)
    if len(keys) < len(said):
        return  # Something is said twice.
    facts = {key: keys.pop(key, None) for key in _MISSION_FACTS}
    goal = Earn.model_validate(keys)
    whole = goal.model_copy(update={"within": "battle"})
    own = MISSION_CLAUSES.tokenize(goal_sentence(whole).rstrip(".")) if goal.turns > 1 else ()
    if own and MISSION_CLAUSES.content_words(tokens) == MISSION_CLAUSES.content_words(own):
        goal = whole  # The game writes the turns last if each of them counts with all before it.
    if not [*meaningless_keys(goal)] and _agrees(goal, facts):
        yield Interpretation(goal)


def _agrees(goal: Earn, facts: Mapping[str, object]) -> bool:
    """Return whether what is said of ends, distances, and Tests fits the event."""
    has_end = bool(facts["at_end"])
    if goal.event in _LASTING:
        fits_end = has_end or goal.turns > 1 or (goal.event, goal.within) == ("control", "battle")
    else:
        fits_end = not has_end
    return (
        fits_end
        and facts["from_center"] in (None, goal.event == "control")
        and (not facts["that_turn"] or goal.within == "turn")
        and bool(facts["unfailed"]) == (goal.event == "pass")
    )


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
        *["looks at the same die"] * bool(condition.same_roll),
        *["rolls 1D6"] * bool(condition.roll),
        *["takes its Test"] * bool(condition.test),
        *["rolls how much"] * any(deeds.heal_die or deeds.deal_die for _, deeds in effect.deeds),
        *["asks whom it concerns"] * bool(effect.friend or effect.enemy),
        *["takes the Test that saves from it"] * any(deeds.unless for _, deeds in effect.deeds),
    ]
    given = {key for _, deeds in effect.deeds for key in deeds.keys}
    done = [deed.by_players for key, deed in DEEDS.items() if key in given and deed.by_players]
    lasts = f", and ends it at {CLAUSES.write('span', effect.span, {'owner': 'its'})}" if effect.span else ""
    near = any(names_group(name) for name, _ in effect.deeds) and (
        condition.range_over is not None or condition.range_within is not None
    )
    measures = ", for those that the table measures to be near enough" if near else ""
    moves = f"; the players make the {join_words(dict.fromkeys(done), 'and')}" if done else ""
    if any(deeds.reactions == "more-others" for _, deeds in effect.deeds):
        moves += "; the players see to it that the Reactions are to different enemies"
    deed = join_words([*first, f"applies it {_moment(effect)}"], "and")
    return f"{deed}{measures}{lasts}{moves}"


def _moment(effect: Effect) -> str:
    """Return when an effect applies; one of weapons only has no Channels, and one of powers has no Attacks."""
    moment, weapon = MOMENTS[effect.active_at].help, effect.condition.weapon
    if weapon == "P":
        return re.sub(r"(?:(a)n )?Attack\w* or ", r"\1 ", moment).replace("  ", " ")
    return re.sub(r" or Channel\w*(?: at(?! it))?", "", moment) if weapon else moment


def read_text(thing: Model, text: str) -> tuple[SentenceReading, ...]:
    """Return the sentences of a text of a card or ability, as far as they were read."""
    if isinstance(thing, Mission):
        return tuple(map(read_objective, split_sentences(text)))
    voice = voice_of(thing)
    return _read_sentences(text, voice) if voice else ()


@lru_cache(maxsize=1 << 13)
def _read_sentences(text: str, voice: Voice) -> tuple[SentenceReading, ...]:
    readings = _joined(text, voice, _each(tuple(split_sentences(text)), voice))
    meanings = [reading.value for reading in readings if isinstance(reading.value, SentenceMeaning)]
    limits = {meaning.once for meaning in meanings if not meaning.effects} or {meaning.once for meaning in meanings}
    limits -= {False}
    if voice.once or len(limits) != 1 or len(readings) == 1:
        return readings
    limit = limits.pop()
    spans = tuple(SentenceSpan(reading.text, reading.start) for reading in readings)
    return _each(spans, voice, limit)


def _each(sentences: tuple[SentenceSpan, ...], voice: Voice, limit: Once = False) -> tuple[SentenceReading, ...]:
    befores = ("", *(sentence.text for sentence in sentences))
    return tuple(_read(each, voice, limit, before) for each, before in zip(sentences, befores, strict=False))


def _joined(text: str, voice: Voice, readings: tuple[SentenceReading, ...]) -> tuple[SentenceReading, ...]:
    """Return the readings, with one for sentences that are only read together, such as a title and a rule."""
    joined: list[SentenceReading] = []
    for reading in readings:
        joined.append(reading)
        while (both := _last_two(text, voice, joined)) is not None:
            joined[-2:] = [both]
    befores = (None, *joined)
    return tuple(_after(before, each) for before, each in zip(befores, joined, strict=False))


def _last_two(text: str, voice: Voice, readings: list[SentenceReading]) -> SentenceReading | None:
    """Return the last two sentences as one, if one of them was not read, and they are together."""
    if len(readings) < 2 or Level.UNREAD not in (readings[-2].level, readings[-1].level):
        return None
    first, last = readings[-2:]
    both = _read(SentenceSpan(text[first.start : last.end], first.start), voice)
    return both if both.level != Level.UNREAD else None


def _after(before: SentenceReading | None, reading: SentenceReading) -> SentenceReading:
    """Return a sentence as it was read after another; it could depend on what was not read."""
    if before is None or before.level != Level.UNREAD or not getattr(reading.value, "effects", ()):
        return reading
    if _after_name(f"{before.text} x") > len(before.text):  # It is only a name.
        return reading
    reason = "it may depend on the sentence before it, which was not read"
    if before.text.endswith("?"):
        return reading._replace(level=Level.UNREAD, value=None, canonical="", reason=reason)
    names_bearer = {token.word for token in CLAUSES.tokenize(reading.text)} & _NOUNS
    return reading if names_bearer else reading._replace(level=Level.LOOSELY, reason=reason)


# Sentences with these words do not go on with what was said before.
_NOUNS = frozenset({"bearer", "wearer", "carrier", "character", "minion", "enemies", "friends"})


def _read(sentence: SentenceSpan, voice: Voice, limit: Once = False, before: str = "") -> SentenceReading:
    earlier = tuple(token.word for token in CLAUSES.tokenize(before)) if before else ()

    def assemble(parts: tuple[Part, ...], tokens: tuple[Token, ...]) -> Iterator[Interpretation]:
        return interpret(parts, tokens, voice, limit, earlier)

    return read_sentence(CLAUSES, sentence, assemble, _after_name, lambda meaning: _written(meaning, voice))


def _written(meaning: SentenceMeaning, voice: Voice) -> str:
    """Return the sentences of effects, with the limit on their use if the text says it."""
    spoken, label = voice._replace(once=meaning.once or voice.once), once_label(meaning)
    sentences = [effect_sentence(effect, spoken) for effect in meaning.effects]
    if label:
        sentences = [f"{label}, {each[0].lower()}{each[1:]}" for each in sentences] or [f"{label}."]
    return " ".join(sentences)


# What cards print before a rule.
_LABEL = re.compile(r"(?:effect|ability|relic|weapon|power)\s*[:–—]\s*(?=\S)", re.IGNORECASE)


def _after_name(sentence: str) -> int:
    label = _LABEL.match(sentence)
    return label.end() if label else name_end(sentence, CLAUSES.is_strange)


def effects_of_text(thing: Relic | Ability | Weapon) -> SentenceMeaning | None:
    """Return the effects of a thing's text, and how often it can be used, if each of its sentences was read exactly."""
    readings = read_text(thing, thing.text or "")
    keys = values(thing, readings) if all(reading.level == Level.READ for reading in readings) else None
    if not keys:
        return None
    effects = tuple(effect for reading in readings for effect in reading.value.effects)
    once = next((reading.value.once for reading in readings if reading.value.once), getattr(thing, "once", False))
    return SentenceMeaning(effects, once)


def objective_of_text(mission: Mission) -> Earn | None:
    """Return the objective of a mission's text, if it is one sentence that was read exactly."""
    readings = read_text(mission, mission.text or "")
    goals: list[Earn] = [reading.value for reading in readings if reading.level == Level.READ]
    return goals[0] if len(readings) == len(goals) == 1 else None


def values(thing: Model, readings: Sequence[SentenceReading]) -> Mapping[str, object] | None:
    """Return the keys `once` and `effects` that say what a text says, or None if they cannot say all of it."""
    meanings = [reading.value for reading in readings]
    if isinstance(thing, Mission):
        goal = meanings[0] if len(meanings) == 1 else None
        return {"earn": goal.model_dump(by_alias=True, exclude_defaults=True)} if goal else None
    if not isinstance(thing, Relic | Ability | Weapon) or not all(
        isinstance(each, SentenceMeaning) for each in meanings
    ):
        return None
    effects = [effect for meaning in meanings for effect in meaning.effects]
    limits: set[Once] = {meaning.once for meaning in meanings if meaning.once}
    if not effects or len(limits) > 1 or (limits and isinstance(thing, Weapon)):
        return None
    once: dict[str, object] = {"once": next(iter(limits))} if limits else {}
    return {**once, "effects": [_effect_keys(effect) for effect in effects]}


def _effect_keys(effect: Effect) -> dict[str, object]:
    """Return the keys of an effect in a card file; the default moment goes without saying."""
    keys: dict[str, object] = effect.model_dump(by_alias=True, exclude_unset=True)
    return {
        key: value for key, value in keys.items() if (key, value) != ("when", type(effect).model_fields["when"].default)
    }


def models(reading: SentenceReading) -> tuple[Effect | Earn, ...]:
    """Return the effects or the objective of a sentence."""
    if isinstance(reading.value, Earn):
        return (reading.value,)
    return reading.value.effects if isinstance(reading.value, SentenceMeaning) else ()


def grammar(model: type[Model]) -> Grammar | None:
    """Return the grammar of the texts of a card or a part of one."""
    if issubclass(model, Mission):
        return MISSION_CLAUSES
    return CLAUSES if issubclass(model, Relic | Ability | Weapon) else None


READER = TextReader(read_text, values, referee_of, models, grammar)
