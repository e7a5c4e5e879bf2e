"""What the clauses of a sentence mean together: an effect, or none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from cardgen.game import Features, Interpretation, Part, Token
from cardgen.rulesets.warniris.cards import Once
from cardgen.rulesets.warniris.effect import STRIKES, Effect, WeaponEffect
from cardgen.rulesets.warniris.wording.clauses import CLAUSES
from cardgen.rulesets.warniris.wording.effect_keys import (
    TRIGGER_KEYS,
    ContradictionError,
    Outline,
    effect_data,
    without,
)
from cardgen.rulesets.warniris.wording.effects import Voice, effect_sentence

# Singular nouns that 'it' could mean, besides the bearer.
_RIVALS = frozenset({"target", "attacker", "enemy", "opponent", "friend", "minion", "character", "foe"})


class SentenceMeaning(NamedTuple):
    """The effects of a sentence, and how often it lets them be used; False if it does not say so."""

    effects: tuple[Effect, ...]
    once: Once = False


def interpret(
    parts: tuple[Part, ...], tokens: tuple[Token, ...], voice: Voice, limit: Once = False
) -> Iterator[Interpretation]:
    """Yield what the clauses of a sentence mean, if an effect can express it.

    `limit` is how often another sentence lets it be used.
    """
    try:
        outline = _outline(parts, tokens, voice)
        if limit:
            outline.facts.setdefault("once", limit)
        if not outline.consequences:
            if outline.facts.keys() == {"once"} and not outline.triggers:
                yield Interpretation(SentenceMeaning((), outline.facts["once"]))
            return
        yield _meaning(outline, tokens, voice)
    except (ContradictionError, ValidationError):
        return


def _outline(parts: tuple[Part, ...], tokens: tuple[Token, ...], voice: Voice) -> Outline:
    triggers: list[Features] = []
    facts: dict[str, Any] = {}
    consequences: list[Features] = []
    span_leads = False
    for part in parts:
        meaning = part.meaning
        assert isinstance(meaning, Features)
        if meaning.get("do"):
            kills = any(trigger.get("event") == "eliminating" for trigger in triggers)
            for each in _resolve_subjects(
                meaning.get("do"), tokens[: part.start], voice, is_first=not consequences, kills=kills
            ):
                consequences.append(each)
                if each.get("event"):
                    triggers.append(without(each, "who", "deeds"))
        elif any(key in TRIGGER_KEYS for key, _ in meaning):
            triggers.append(meaning)
        else:
            for key, value in meaning:
                if facts.setdefault(key, value) != value:
                    raise ContradictionError
            if "span" in facts and not (triggers or consequences):
                span_leads = True
    return Outline(tuple(triggers), span_leads and bool(triggers), facts, tuple(consequences))


def _resolve_subjects(
    consequences: Any, before: Sequence[Token], voice: Voice, *, is_first: bool, kills: bool
) -> Iterator[Features]:
    """Yield the consequences with the bearer for 'it', unless that could mean something else.

    With `kills`, the enemy is gone.
    """
    for each in consequences:
        if each.get("who") == "implied" and is_first:
            yield _for_bearer(each)
            continue
        if each.get("who") not in ("it", "implied"):
            yield each
            continue
        if each.get("who") == "implied":
            raise ContradictionError
        words = {token.word for index, token in enumerate(before) if not index or before[index - 1].word != "this"}
        is_object = each.get("deeds").get("shifter") == "you" and not is_first
        if (
            is_object
            or words & (_RIVALS - {"enemy"} if kills else _RIVALS)
            or (voice.attacker == "it" and "bearer" not in words)
        ):
            raise ContradictionError
        yield _for_bearer(each)


def _for_bearer(consequence: Features) -> Features:
    return Features(sorted({**dict(consequence), "who": "bearer"}.items()))


def _meaning(outline: Outline, tokens: tuple[Token, ...], voice: Voice) -> Interpretation:
    facts = outline.facts
    once = facts.get("once", voice.once)
    data, is_loose = effect_data(outline, voice)
    model = WeaponEffect if voice.attacker == "it" else Effect
    effects = (model.model_validate(data),)
    sentence = effect_sentence(effects[0], voice._replace(once=once))
    if _is_odd(effects[0]) and _words(tokens) != _words(CLAUSES.tokenize(sentence)):
        raise ContradictionError
    if facts.get("offer") and not once:
        raise ContradictionError
    adds_up = sentence.endswith("(cumulative).")
    if facts.get("adds_up") and not adds_up:
        raise ContradictionError
    meaning = SentenceMeaning(effects, facts.get("once", False))
    return Interpretation(meaning, is_loose or (adds_up and not facts.get("adds_up")))


def _is_odd(effect: Effect) -> bool:
    """Return whether nobody would mean this effect: it has an end but no beginning, or a target but no attack."""
    has_no_start = effect.when == "always" and bool(effect.span) and not effect.during
    return has_no_start or bool((effect.target or effect.attacker) and effect.active_at not in STRIKES)


def _words(tokens: tuple[Token, ...]) -> list[str]:
    skipped = CLAUSES.table.fillers | CLAUSES.table.joints
    return [token.word for token in tokens if token.word not in skipped]
