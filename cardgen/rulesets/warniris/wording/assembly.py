"""What the clauses of a sentence mean together: an effect, or none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from typing import Any, NamedTuple, cast

from cardgen.game import Features, Interpretation, Part, Token, unclear_if
from cardgen.rulesets.warniris.cards import Once
from cardgen.rulesets.warniris.effect import (
    CHANGES,
    CONDITIONS,
    DEEDS,
    NEIGHBORS,
    PARTIES,
    SUDDEN,
    Effect,
    WeaponEffect,
)
from cardgen.rulesets.warniris.wording.clauses import CLAUSES
from cardgen.rulesets.warniris.wording.effect_keys import (
    GONE,
    TRIGGER_KEYS,
    Outline,
    Scene,
    by_moment,
    effect_data,
    resolve_subjects,
    without,
)
from cardgen.rulesets.warniris.wording.effects import TURN_EVENTS, Voice, effect_sentence
from cardgen.rulesets.warniris.words import ENEMY_ACTS, KILLS, MOMENTS, STRIKES, Phrase

# What clauses of a moment can say besides it.
_FACTS = ("once", "span", *NEIGHBORS, "place", "unmoved", "reaction", "assisted", "unowned", "tests", "not_again")
# Conditions that can change while an effect lasts.
_STATES = frozenset(("wounds", "unmoved", "unhurt", "place", *NEIGHBORS))
_SEVERAL = PARTIES.where(lambda party: party.is_group)
# What clauses say about who is near, or where somebody is.
_ASIDE_KEYS = frozenset(CONDITIONS.where(lambda each: each.is_aside))
# Among the first words of clauses about the bearer.
_BEARERS = frozenset({"bearer", "wearer", "carrier", "this", "your", "you"})


class SentenceMeaning(NamedTuple):
    """The effects of a sentence, and how often it lets them be used; False if it does not say so."""

    effects: tuple[Effect, ...]
    once: Once = False


def interpret(
    parts: tuple[Part, ...],
    tokens: tuple[Token, ...],
    voice: Voice,
    limit: Once = False,
    earlier: tuple[str, ...] = (),
) -> Iterator[Interpretation]:
    """Yield what the clauses of a sentence mean, if an effect can express it.

    `limit` is how often another sentence lets it be used, and `earlier` are the words of the sentence before it.
    Raises UnclearError if they do not go together.
    """
    if voice.attacker != "it" and _NAMES_OF_WEAPONS & {*pairwise(token.word for token in tokens)}:
        return
    results: list[Result] = []
    outline = _outline(parts, tokens, voice, earlier, results)
    chosen = outline.facts.get("chosen")
    unclear_if(
        chosen is not None and chosen.get("who") not in {each.get("who") for each in outline.consequences},
        "nothing happens to the one chosen",
    )
    if limit:
        outline.facts.setdefault("once", limit)
    if outline.consequences:
        is_of_die = bool(results or outline.facts.get("idle"))
        outlines = [by_moment(each) for each in (by_result(outline, results) if is_of_die else (outline,))]
        unclear_if(is_of_die and any(len(each) > 1 for each in outlines), "a die with several moments")
        found = [_meaning(one, tokens, voice) for each in outlines for one in each]
        effects = tuple(effect for meaning, _ in found for effect in meaning.effects)
        yield Interpretation(SentenceMeaning(effects, found[0][0].once), any(is_loose for _, is_loose in found))
    elif outline.facts.keys() == {"once"} and not outline.triggers:
        yield Interpretation(SentenceMeaning((), outline.facts["once"]))


# Of a weapon's own text.
_NAMES_OF_WEAPONS = frozenset({("this", "weapon"), ("this", "power"), ("from", "attacker")})


def _outline(
    parts: tuple[Part, ...],
    tokens: tuple[Token, ...],
    voice: Voice,
    earlier: tuple[str, ...],
    results: list[Result],
) -> Outline:
    triggers: list[Features] = []
    facts: dict[str, Any] = {}
    consequences: list[Features] = []
    span_leads = starts = False
    for number, part in enumerate(parts):
        assert isinstance(part.meaning, Features)
        meaning = add_result(part.meaning, facts, consequences, results)
        _require_significance(part, meaning, tokens, is_other_result=bool(results))
        meaning = _of_bearer(meaning, tokens[: part.start], voice)
        if meaning.get("do"):
            _require_subject(meaning.get("do"), tokens[: part.start])
            _add_facts(facts, without(meaning, "do"))
            moments = [*triggers, *(each for each in consequences if each.get("event"))]
            asides = [each for each in parts[:number] if _is_aside(each)]
            openings = ((each, {token.word for token in tokens[each.start : each.start + 3]}) for each in asides)
            # The party of 'that enemy' at the last moment that was named.
            moment = MOMENTS.get(_event_of(moments))
            scene = Scene(
                before=tokens[: part.start],
                voice=voice,
                earlier=earlier,
                chosen=facts.get("chosen"),
                gone=frozenset(name for trigger in moments for name in GONE.get(str(trigger.get("event")), ())),
                asides=_places(asides),
                opponent=Features.of(who=moment.opponent) if moment and moment.opponent else None,
                own_asides=_places(each for each, words in openings if words & _BEARERS),
                event=_event_of(moments),
            )
            consequences += resolve_subjects(
                meaning.get("do"), scene, is_first=len(consequences) == (results[-1].start if results else 0)
            )
            continue
        if any(key in TRIGGER_KEYS for key, _ in meaning):
            is_rest = bool(consequences) and consequences[-1].get("deeds").get("reroll") == "any"
            unclear_if(is_rest and tokens[part.start].word == "to", "the rest of 'a Test to hit'")
            words = [token.word for token in tokens[part.start : part.end]]
            if words[0] in _STATES_BEGIN and _PAST & {*words} and not meaning.get("not_again"):
                facts["has_happened"] = True
            last = consequences[-1] if consequences else Features.of(who="bearer")
            is_of_another = last.get("who") not in ("bearer", "side") and not last.get("deeds").get("swap")
            is_its = str(meaning.get("at")).startswith("activation") and _POSSESSIVES & {*words}
            unclear_if(is_its and is_of_another, "the Activation of the bearer, or of another")
            if meaning.get("at") and ("of", "1") in pairwise(words):
                facts["one_time"] = True  # 'The end of one turn' is not the end of each.
            triggers.append(without(meaning, *_FACTS, "starts"))
            starts = starts or bool(meaning.get("starts"))
            meaning = Features((key, value) for key, value in meaning if key in _FACTS)
        last = consequences[-1].get("deeds") if consequences else Features()
        weapon = meaning.get("if", Features()).get("weapon")
        unclear_if(weapon and last.get("free_attack"), "a condition, or the weapon of the free Attack")
        said = {token.word for token in tokens[part.start : part.end]}
        if _STATES.intersection(key for key, _ in meaning) and ("span" in facts or consequences or "while" in said):
            facts["is_of_stretch"] = True  # 'Until the end of the turn, if …' is not about the moment before it.
        _add_facts(facts, meaning)
        if "span" in facts and not (triggers or consequences):
            span_leads = True
    bare, dice = facts.pop("bare", False), facts.pop("dice", False)
    is_open = not triggers or any(each.get("who") in _SEVERAL for each in consequences)
    unclear_if(dice and "roll" not in facts, "a die without faces")
    unclear_if(bare and not dice and is_open, "faces at no moment, or of one die for several")
    return Outline(tuple(triggers), span_leads and not starts, facts, tuple(consequences))


def _require_significance(part: Part, meaning: Features, tokens: tuple[Token, ...], *, is_other_result: bool) -> None:
    """Raise UnclearError for 'instead' and 'also' where they would change what a clause means.

    'Instead' says nothing new only of another result of the same die, and 'also' only of what happens.
    """
    says_also = any("also" in token.written.split() for token in tokens[part.start : part.end])
    moments = (each.get("event") for each in meaning.get("do") or ())
    unclear_if(meaning.get("instead") and not is_other_result, "instead of what")
    unclear_if(says_also and (not meaning.get("do") or any(moments)), "what else")


def _of_bearer(meaning: Features, before: tuple[Token, ...], voice: Voice) -> Features:
    """Return a clause whose state names nobody, as that of the bearer: 'at 3 Wounds or fewer', or 'if Damaged'.

    In a weapon's own text, who is Damaged is the target. Raises UnclearError after another miniature.
    """
    if not meaning.get("bare_state"):
        return meaning
    if voice.attacker == "it":
        unclear_if(meaning.get("wounds") != "hurt", "whose Wounds")
        return Features.of(event="damaging")
    is_of_other = meaning.get("of_weapon") or _NOUNS_OF_OTHERS & {token.word for token in before}
    unclear_if(is_of_other, "whose Wounds")
    return without(meaning, "bare_state")


_NOUNS_OF_OTHERS = frozenset({
    *("enemy", "enemies", "friend", "friends", "friendly", "target", "targets", "attacker", "attackers", "whoever"),
    *("miniature", "miniatures", "characters", "minion", "minions", "anyone", "anybody", "opponent"),
})  # fmt: skip
_POSSESSIVES = frozenset({"its", "his", "her", "their"})
# Who can take the Test that saves from a consequence, by the noun for them.
_SAVERS = {
    "target": {"target"},
    "attacker": {"attacker"},
    "friend": {"friend", "friends"},
    "enemy": {"enemy", "enemies", "actor", "attacker", "target"},
}
_TESTING = frozenset({"pass", "passes", "succeed", "succeeds", "make", "makes", "fail", "fails", "do", "does"})


def _require_saver(outline: Outline, tokens: tuple[Token, ...]) -> None:
    """Raise UnclearError if another takes the Test that saves: 'the target …, unless the attacker passes'."""
    saved = [each for each in outline.consequences if "unless" in outline.facts or each.get("deeds").get("unless")]
    parties = {str(each.get("who")) for each in saved}
    words = [token.word for token in tokens]
    nouns = {noun for noun, verb in pairwise(words) if noun in _SAVERS and verb in _TESTING}
    unclear_if(saved and any(parties.isdisjoint(_SAVERS[noun]) for noun in nouns), "the Test of another")


def _is_aside(part: Part) -> bool:
    """Return whether a clause only says who is near, or where somebody is."""
    keys = {key for key, _ in cast(Features, part.meaning)}
    return "do" not in keys and not keys.isdisjoint(_ASIDE_KEYS)


def _places(parts: Iterable[Part]) -> frozenset[int]:
    """Return the indices of the tokens of some clauses."""
    return frozenset(place for part in parts for place in range(part.start, part.end))


def _require_subject(consequences: Any, before: tuple[Token, ...]) -> None:
    """Raise UnclearError if the clause before took the subject.

    'When an enemy Attacks, it ...', or 'when an enemy within 6 cm Moves, except the bearer ...'.
    """
    if not any(each.get("who") == "implied" for each in consequences):
        return
    unclear_if(
        len(before) > 1 and before[-2].word == "," and before[-1].word in ("it", "he", "she", "they"),
        "the subject of the clause before",
    )
    unclear_if(
        _EXCEPTIONS & {token.word for token in takewhile(lambda each: each.word not in ",;:.", reversed(before))},
        "the exception of the clause before",
    )


_EXCEPTIONS = frozenset({"except", "excepted", "excluding", "apart", "other", "not"})


def _add_facts(facts: dict[str, Any], meaning: Features) -> None:
    for key, value in meaning:
        unclear_if(facts.setdefault(key, value) != value, "said twice")


def _event_of(triggers: list[Features]) -> str:
    """Return the event of the last trigger; '' for a moment of the turn, or for none."""
    return str(triggers[-1].get("event") or "").partition("-")[0] if triggers else ""


def _meaning(outline: Outline, tokens: tuple[Token, ...], voice: Voice) -> tuple[SentenceMeaning, bool]:
    """Return what clauses of one moment mean, and whether that is loose."""
    facts = outline.facts
    data, is_loose = effect_data(outline, voice)
    keys = {key for party in PARTIES for key in data.get(party, {})}
    unclear_if(facts.get("tests") and ("for" in data or not keys <= {*CHANGES, "reroll"}), "of Tests only")
    lasts = not keys <= {*SUDDEN} and ("for" not in data or all(token.word != "until" for token in tokens))
    unclear_if(facts.get("has_happened") and lasts, "a state, not a moment")
    once = facts.get("once", voice.once)
    unclear_if(facts.get("one_time") and not once, "once, or each time")
    is_each_turn = data["when"] in _ONCE_A_TURN and "while" not in data
    if facts.get("offer") and not once and is_each_turn and voice.attacker != "it":
        once = facts["once"] = "turn"
    _require_saver(outline, tokens)
    parties = {each.get("who") for each in outline.consequences}
    unclear_if(facts.get("own_end") and parties != {"bearer"}, "the end of whom")
    unclear_if(facts.get("of_one") and parties & {*_SEVERAL}, "one, or all of them")
    _require_topics(facts, data, keys)
    is_loose = _add_terms(facts, data) or is_loose
    is_loose = is_loose or bool(facts.get("is_of_stretch") and data["when"] != "always" and "for" in data)
    # A miniature that 'may move', where no note says that it takes no Action for it.
    is_move = any(each.get("deeds").get("plain") for each in outline.consequences)
    is_free = facts.get("is_free") or any(
        each.get("at") in _APART or str(each.get("event")) in ENEMY_ACTS for each in outline.triggers
    )
    is_loose = is_loose or (is_move and not is_free) or bool(facts.get("unowned") and once is not True)
    model = WeaponEffect if voice.attacker == "it" else Effect
    effects: tuple[Effect, ...] = (model.model_validate(data),)
    sentence = effect_sentence(effects[0], voice._replace(once=once))
    # Changes of values at the start of an activation would be over at once.
    is_start = data["when"] in ("activation_start", "enemy_activated") and not data.keys() & {"for", "while"}
    is_odd, is_over = _is_odd(effects[0]), is_start and bool(keys) and keys <= {*CHANGES}
    if (is_odd or is_over) and not _is_own_sentence(sentence, tokens):
        # Only the bearer's own Moves use its Movement.
        is_of_moves = {party: [*data[party]] for party in PARTIES if party in data} == {"bearer": ["movement"]}
        is_loose = is_loose or not (is_odd or is_of_moves)
        effects = (model.model_validate(_without_spare_end(data) if is_odd else {**data, "for": "activation"}),)
        sentence = effect_sentence(effects[0], voice._replace(once=once))
    unclear_if(facts.get("offer") and not once, "an offer at any time")
    adds_up = sentence.endswith("(cumulative).")
    unclear_if(facts.get("adds_up") and not adds_up, "adds up with what")
    # Each point of Damage is such a moment, so that authors could mean them or the attack.
    is_unclear = adds_up and not facts.get("adds_up") and effects[0].when == "damaged"
    return SentenceMeaning(effects, facts.get("once", False)), is_loose or is_unclear


def _is_own_sentence(sentence: str, tokens: tuple[Token, ...]) -> bool:
    return CLAUSES.content_words(tokens) == CLAUSES.content_words(CLAUSES.tokenize(sentence))


def _add_terms(facts: dict[str, Any], data: dict[str, Any]) -> bool:
    """Add the cost of an effect, and that it does not add up; return whether something is unclear about it."""
    if facts.get("not_again"):
        data["cumulative"] = False
    if not facts.get("cost"):
        unclear_if(facts.get("not_last"), "the last Wound of no cost")
        return False
    unclear_if(facts.get("bare_cost") and data["when"] == "always", "a cost at no moment")
    data["cost"] = facts["cost"]
    return bool(facts.get("bare_cost") and not facts.get("not_last"))


# 'If a friend was eliminated this turn' is a state, not a moment.
_STATES_BEGIN, _PAST = frozenset({"if", "while"}), frozenset({"was", "were", "been", "had"})


def _without_spare_end(data: dict[str, Any]) -> dict[str, Any]:
    """Return the keys of an effect without an end that goes without saying; UnclearError if it has another."""
    stretch = data.get("if", {}).get("unmoved")
    is_spare = data["when"] == "always" and data.get("for") in ("battle", stretch) and "while" not in data
    unclear_if(
        not is_spare or "roll" in data.get("if", {}) or "attacker" in data or "target" in data, "when it begins or ends"
    )
    return {key: value for key, value in data.items() if key != "for"}


def _is_odd(effect: Effect) -> bool:
    """Return whether nobody would mean this effect: it has an end but no beginning, or a target but no attack."""
    has_no_start = effect.when == "always" and not effect.during and bool(effect.span or effect.condition.takes_chance)
    moments = STRIKES | KILLS if effect.attacker and not effect.target else STRIKES
    amounts = (Phrase.HEALED, Phrase.DEALT)
    is_sudden = any(DEEDS[key].says in amounts for _, deeds in effect.deeds for key in deeds.keys)
    has_no_start = has_no_start or (effect.when == "always" and not effect.during and is_sudden)
    return has_no_start or bool((effect.target or effect.attacker) and effect.active_at not in moments)


# What the clause of a result says besides its consequences.
_KEYS = ("roll", "bare", "again", "none")


class Result(NamedTuple):
    """Faces of a die, and the number of consequences before those of these faces."""

    faces: Any
    start: int


def add_result(
    meaning: Features, facts: dict[str, Any], consequences: list[Features], results: list[Result]
) -> Features:
    """Return a clause without the faces of another result of the die, which begins with it.

    'On 4 to 6 two' repeats the consequence before it with another number. Raises UnclearError for a repetition
    of nothing, and for a second die.
    """
    unclear_if(meaning.get("dice") and "roll" in facts and consequences, "another die, which its own faces follow")
    faces = meaning.get("roll")
    if not faces:
        return meaning
    if meaning.get("none"):
        facts["idle"] = (*facts.get("idle", ()), faces)
    if "roll" not in facts:
        unclear_if(meaning.get("again"), "again what")
        return without(meaning, "none")
    every = [Result(facts["roll"], 0), *results]
    is_complete = len(consequences) > every[-1].start or every[-1].faces in facts.get("idle", ())
    is_same_die = meaning.get("bare") and not {face for each in every for face in each.faces} & {*faces}
    if not (is_complete and is_same_die):
        return without(meaning, "none")
    if meaning.get("again"):
        before = consequences[every[-1].start :]
        unclear_if(len(before) != 1, "which of them again")
        [(key, _), *others] = before[0].get("deeds")
        unclear_if(others or key not in ("heal", "deal"), "another amount of what")
        changed = Features.of(**{key: int(meaning.get("again"))})
        consequences.append(Features.of(**{**dict(before[0]), "deeds": changed}))
        results.append(Result(faces, len(consequences) - 1))
    else:
        results.append(Result(faces, len(consequences)))
    return without(meaning, *_KEYS)


def by_result(outline: Outline, results: Sequence[Result]) -> Iterator[Outline]:
    """Yield an outline for each result that does something; the first one has the die.

    Raises UnclearError for a result without consequences, unless the text says that there are none.
    """
    idle, key = outline.facts.get("idle", ()), "roll"
    every = [Result(outline.facts["roll"], 0), *results, Result((), len(outline.consequences))]
    facts = {name: value for name, value in outline.facts.items() if name not in ("roll", "idle")}
    for each, following in pairwise(every):
        own = outline.consequences[each.start : following.start]
        unclear_if(bool(own) == (each.faces in idle), "a result without consequences")
        if own:
            yield outline._replace(facts={**facts, key: each.faces}, consequences=own)
            key = "same_roll"


# The reminders, which are about certain deeds.
_NOTES = frozenset(note for deed in DEEDS.values() for note in deed.notes.split())
# Moments without Actions, so that a Move at them is not an Action.
_APART = ("battle_start", "turn_start", "turn_end")
_ONCE_A_TURN = TURN_EVENTS - {"battle_start"}


def _require_topics(facts: Mapping[str, Any], data: Mapping[str, Any], keys: Iterable[str]) -> None:
    """Raise UnclearError for a reminder that excludes what the effect concerns anyway, or is about something else."""
    about = {note for key in keys for note in DEEDS[key].notes.split()}
    unclear_if(any(facts.get(note) and note not in about for note in _NOTES), "a reminder of something else")
    unclear_if(facts.get("excluded") and not {"friends", "friend"} & data.keys(), "among whom it is left out")
    unclear_if(facts.get("chosen") is not None and data["when"] == "always", "chosen at no moment")
    unclear_if(facts.get("if_done") and not (facts.get("offer") or facts.get("cost")), "what is done")
    unclear_if(facts.get("if_done") and "deal" in keys and "bearer" in data, "the cost, or a part of it")
    ranges = {"range_over", "range_within"} & data.get("if", {}).keys()
    unclear_if(facts.get("any_distance") and ranges, "any distance, or one")
    condition, spared = data.get("if", {}), {*facts.get("spares", ())}
    concerned = {name for key in ("weapon", "against") for name in condition.get(key, "").split("/")} - {""}
    is_of_one_kind = len({name in ("character", "minion") for name in (*spared, *concerned)}) == 1
    unclear_if(spared and (not concerned or concerned & spared or not is_of_one_kind), "what is spared")
    unclear_if(facts.get("survives") and data["when"] != "damaged", "what it survives")
    unclear_if(facts.get("before_removal") and "eliminated" not in (data["when"], data.get("while")), "removed when")
    unclear_if(facts.get("this_attack") and (data["when"] not in STRIKES or "for" in data), "which attack")
    is_half = condition.get("wounds_at_most") == "half" or "halved" in keys
    unclear_if(facts.get("is_rounded") and not is_half, "half of what")
    unclear_if(facts.get("stays_near") and (data["when"] != "always" or "range_within" not in condition), "near whom")
    unclear_if(facts.get("chance_spent") and not (facts.get("once") and "roll" in condition), "which chance")
