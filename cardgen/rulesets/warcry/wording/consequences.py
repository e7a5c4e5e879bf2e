"""What sentences of rules mean: the clauses of a sentence as changes, and one sentence after the other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from cardgen.game import (
    Features,
    Interpretation,
    Level,
    Part,
    SentenceReading,
    SentenceSpan,
    Token,
    read_sentence,
    split_sentences,
    unclear_if,
)
from cardgen.rulesets.warcry.changes import WEAPON_NUMBERS, Change, with_facts
from cardgen.rulesets.warcry.selections import CHANGING, Group
from cardgen.rulesets.warcry.wording.draft import (
    ADD,
    ATTACKER_EVENTS,
    COUNTED,
    EACH,
    EITHER,
    GROUP,
    HAVE_ATTACKER,
    IT,
    PICKED,
    ROLLED,
    SELF,
    SUBJECT,
    THAT_ATTACK,
    YOU,
    Context,
    Draft,
    adds,
)
from cardgen.rulesets.warcry.wording.occasions import (
    OF_ATTACKS,
    PHASES,
    add_again,
    add_faces,
    add_moment,
    attack_before,
    context_after,
    finish,
    require_numbers,
    share_attacks,
)
from cardgen.rulesets.warcry.wording.sentences import idle_keys, sentences
from cardgen.rulesets.warcry.wording.values import (
    GRAMMAR,
    LIMITS,
    ORDINALS,
    Data,
    consequence_data,
    plain,
    words_of,
)
from cardgen.rulesets.warcry.words import EVENTS, Fact

# Clauses about a fighter before something happens to it.
NAMING = ("if", "unless", "while", "reacts", "when", "only_if", "not_if")
# Parts of a clause that are its own when it is read.
_NESTED = frozenset(("change", "attacks", "lowest", "action", "ban"))


def _add(draft: Draft, part: Data) -> None:
    kind = part.pop("kind", "")
    unclear_if(draft.awaits_end and kind not in ("until", "next"), "what lasts for how long")
    draft.awaits_end = False
    about = part["is"] if kind in NAMING else {"of": IT}
    if about.get("event") not in PHASES and about.get("who") != [IT] and about.get("of") != IT:
        draft.know(names_fighter=True)
    if kind not in ADD or kind.endswith("_again"):
        for key in _NESTED & part.keys():
            part |= part.pop(key)
    if kind:
        ADD.get(kind, _add_consequence)(draft, kind, part)


def _add_consequence(draft: Draft, kind: str, part: Data) -> None:
    draft.require_no_condition()
    if part.pop("unnamed", False):  # 'Take 1 damage' is said to whoever uses the rule.
        draft.know(names_fighter=True)
    if part.pop("same_attack", False) and part["of"] in (IT, "fighter"):
        part |= attack_before(draft)
    if add := next((add for key, add in _WITHOUT_SUBJECT.items() if part.pop(key, False)), None):
        add(draft, kind, part)
        return
    if part.pop("needs_attack", False) and not draft.scope:
        attack = attack_before(draft)
        unclear_if(not attack or draft.has_condition, "which attack")
        part |= attack
    unclear_if(part.pop("answered", False) and draft.context.event not in ATTACKER_EVENTS, "the damage of which attack")
    unclear_if(part.pop("answers", False) and draft.context.price != "reaction", "an answer to what")
    draft.needs_end |= part.get("cannot") == ["be-answered"] and part["of"] == IT  # Without one, 'it' is an action.
    part = with_targets(draft, kind, with_faces(draft, part))
    kind, written = _KINDS.get(kind, kind), kind
    require_clear_subject(draft, kind, part)
    if part.get("of") == YOU:  # The fighter that uses the ability, or the fighters of a battle trait's player.
        is_of_warband = not draft.context.price and "weapon" in part
        unclear_if(not is_of_warband and kind == "reroll" and draft.context.subject != SELF, "whose hit rolls")
        part["of"] = {"side": "friend"} if is_of_warband else YOU
    part = in_scope(draft, kind, part)
    if "of" not in part and kind == "bonus":
        is_of_enemy = draft.context.subject in (PICKED, EITHER) and draft.context.picked == "enemy"
        part["of"] = SELF if is_of_enemy else IT
    if "of" not in part:
        draft.settle(SELF)
        _append(draft, kind, consequence_data(written, part))
        return
    # Others than those that it is for: as targets, or as those toward whom they move.
    named = {part[key] for key in ("target", "against") if isinstance(part.get(key), str)}
    named |= {PICKED} if part.get("direction", "").endswith("-picked") else set()
    count = len(draft.changes)
    parties = draft.parties_of(part.pop("of"))
    unclear_if(PICKED in named and len(draft.changes) > count, "the one that was picked before")
    for party in parties:
        of = draft.settle(party)
        whose = EACH if isinstance(of, dict) else of
        unclear_if(
            draft.measured not in ("", of, whose) and not (draft.measured == IT and whose in (EACH, SELF)),
            "the Toughness of another",
        )
        draft.measured = draft.measured and whose
        _append(draft, kind, consequence_data(written, {**part, "of": of}))
    named |= {PICKED for party in parties if isinstance(party, dict) and party.get("to") == PICKED}
    is_object = written in _OF_OBJECT and parties == [SELF] and draft.context.picked
    if len(parties) == 1 and (is_object or named - {parties[0] if isinstance(parties[0], str) else ""}):
        draft.know(subject=EITHER)


@adds("stats_again", "bonus_again")
def _add_more(draft: Draft, kind: str, part: Data) -> None:
    """Add more of what the consequence before is, or what happens to whoever the sentence is about: '+1 Move'."""
    if not draft.consequences:
        _add_bare(draft, kind.removesuffix("_again"), part)
    elif draft.has_end and draft.context.price and draft.context.subject == SELF and not draft.has_condition:
        _add_consequence(draft, kind.removesuffix("_again"), {**part, "of": IT})
    else:
        add_again(draft, kind, part)


@adds("add_more")
def _add_more_numbers(draft: Draft, kind: str, part: Data) -> None:
    """Add another number to characteristics, or take it from them: 'add 1 to its Move and 2 to its Toughness'."""
    sign = part.pop("sign")
    require_numbers(draft, sign)
    for key in _NESTED & part.keys():
        part |= part.pop(key)
    count = len(draft.changes)
    _add_consequence(draft, "add" if sign > 0 else "subtract", part)
    if draft.is_elided:  # 'Add 1 to Attacks and 1 to Strength of its missile attacks' is for those attacks.
        share_attacks(draft.changes[count - 1], draft.changes[-1])


@adds("rolled_set")
def _add_rolled_set(draft: Draft, kind: str, part: Data) -> None:
    """Add a change of the set of ability dice for which a die was rolled: 'its value becomes 6'."""
    unclear_if(not draft.context.rolls_sets, "whose value")
    _add_consequence(draft, "sets", {**part, "of": ROLLED})


@adds("raise_value")
def _add_raised_value(draft: Draft, kind: str, part: Data) -> None:
    """Add that the value of an ability is higher; after a roll for sets of ability dice, 'its value' is theirs."""
    unclear_if(draft.context.rolls_sets, "the value of a set")
    _add_consequence(draft, kind, part)


@adds("nothing")
def _add_nothing(draft: Draft, kind: str, part: Data) -> None:
    """Add that nothing happens on some faces."""
    unclear_if(draft.changes or draft.context.event or draft.frame.keys() != {"on_roll"}, "when nothing happens")
    draft.is_nothing, draft.has_open_frame = True, False


@adds("separately")
def _add_separately(draft: Draft, kind: str, part: Data) -> None:
    """Add that each fighter has a roll of its own, which says nothing new about a die, or points, for each fighter."""
    is_rolled = any("d" in str(draft.last.get(key, "")) for key in ("deal", "heal"))
    is_of_each = draft.context.has_rolled_each or (is_rolled and isinstance(draft.last.get("of"), dict))
    unclear_if(not is_of_each, "one roll for all of them")
    draft.is_nothing = True


@adds("after_action")
def _add_after(draft: Draft, kind: str, part: Data) -> None:
    """Add that the rest happens after the bonus action before, which it does anyway.

    What a reaction does after the attack that it answers is another thing.
    """
    action = draft.context.action
    is_other = action and part.get("action", action) != action
    unclear_if(is_other or (not action and "bonus" not in draft.kinds), "after what")
    draft.is_after = True


@adds("addition")
def _add_addition(draft: Draft, kind: str, part: Data) -> None:
    """Add that the rest goes on with the sentence before: it lasts as long, unless it says how long."""
    draft.goes_on = not draft.changes


@adds("price")
def _add_price(draft: Draft, kind: str, part: Data) -> None:
    """Add the price of an ability that a sentence names after its condition: 'you can spend a double to …'."""
    unclear_if(draft.changes or draft.context.price not in ("", part["price"]), "another price")
    draft.know(price=part["price"])


@adds("answers")
def _add_answer(draft: Draft, kind: str, part: Data) -> None:
    """Add that the fighter reacts at the moment before: 'when an enemy disengages, it can react by …'."""
    moment = draft.frame.pop("when", None)
    unclear_if(bool(moment) == ("reacts" in draft.kinds) or draft.context.price not in ("", "reaction"), "reacts when")
    draft.know(price="reaction")
    if moment:
        draft.put("reacts", {"reacts": moment})


@adds("lasts")
def _add_lasting(draft: Draft, kind: str, part: Data) -> None:
    """Add that the changes last, which leads on to how long: 'this lasts until …'."""
    draft.awaits_end = True


@adds("chooses")
def _add_choice(draft: Draft, kind: str, part: Data) -> None:
    """Add that the player chooses whether what follows happens."""
    _add_consequence(draft, kind, part)
    draft.know(has_choice=True)


@adds("if_so")
def _add_if_so(draft: Draft, kind: str, part: Data) -> None:
    """Add that something happens if the player chose so, which all that follows such a choice does."""
    unclear_if(draft.changes or not draft.context.has_choice, "if what")


@adds("order")
def _add_order(draft: Draft, kind: str, part: Data) -> None:
    """Add that the attacker goes first, which stands before what both players do."""
    draft.has_order = True


@adds("as_of_now")
def _add_as_of_now(draft: Draft, kind: str, part: Data) -> None:
    """Add that what lasts is for those of whom something is true now, and not for whom it becomes true later."""
    groups = [of for each in draft.changes if isinstance(of := each.get("of"), dict)]
    unclear_if(not any(of.keys() & CHANGING for of in groups), "whose state")
    draft.is_of_now = True


@adds("declares")
def _add_cry(draft: Draft, kind: str, part: Data) -> None:
    """Add the words with which a player uses a rule that is used once anyway, when the player likes."""
    unclear_if(not any("once" in each.get("only_if", {}) for each in draft.changes) or draft.consequences, "an option")


def _add_bare(draft: Draft, kind: str, part: Data) -> None:
    """Add a consequence without a subject: for the fighter that was picked, or the one that uses the ability."""
    if isinstance(draft.scope.get("of"), dict) and kind in OF_ATTACKS:
        _add_consequence(draft, kind, {**part, "of": IT})
        return
    if draft.context.is_trait and kind == "stats" and draft.context.subject == SELF and not draft.context.event:
        _add_consequence(draft, kind, {**part, "of": {"side": "friend"}})
        return
    is_picked = draft.context.subject == PICKED and draft.context.event in ("", *PHASES)
    unclear_if(not is_picked and not (draft.context.subject == SELF and draft.context.price), "for whom")
    good, bad = is_good(kind, part), kind in _BAD or any(number < 0 for number in part.get("numbers", ()))
    unclear_if(
        is_picked and (good == bad or (draft.context.picked == "enemy") == good),
        "for the picked fighter, or the one that picks it",
    )
    draft.know(names_fighter=True)
    _add_consequence(draft, kind, {**part, "of": IT})


def _add_elided(draft: Draft, kind: str, part: Data) -> None:
    """Add a consequence that shares its subject with the one before, or has none."""
    draft.is_elided = True
    if draft.consequences:
        if draft.context.subject == EITHER:
            draft.know(subject=draft.last.get("of", SELF))
        _add_consequence(draft, kind, part)
    else:
        _add_bare(draft, kind, part)


def _append(draft: Draft, kind: str, data: Data) -> None:
    if draft.per:
        unclear_if(kind not in COUNTED, "what for each")
        data = {**data, **draft.per}
        draft.per = {}
    draft.append(kind, data)


def _add_imposed(draft: Draft, kind: str, part: Data) -> None:
    """Add damage to another fighter that the sentence is about: 'allocate 1 damage point'."""
    is_enemy = draft.context.subject == PICKED and draft.context.picked == "enemy"
    unclear_if(not is_enemy and draft.context.subject != ROLLED, "to whom")
    _add_consequence(draft, kind, part)


def _add_given(draft: Draft, kind: str, part: Data) -> None:
    """Add a change for the fighters named after it; '+1 Move and +1 Toughness for each friend' counts the friends."""
    unclear_if(draft.leads_on and draft.consequences and isinstance(part["of"], dict), "for each of them")
    _add_consequence(draft, kind, part)


_WITHOUT_SUBJECT = {"given": _add_given, "bare": _add_bare, "elided": _add_elided, "imposed": _add_imposed}
_KINDS = {"add": "stats", "subtract": "stats"}
# Clauses that name the fighter as their object: 'remove 1 damage point from this fighter'.
_OF_OBJECT = frozenset(("deal", "heal", "add", "subtract"))


# What is good for a fighter, and what is not: a clause without a subject is not about an enemy, or a friend.
_GOOD, _BAD = ("bonus", "add", *with_facts(Fact.GOOD)), ("subtract", *with_facts(Fact.BAD))
# What nobody would do to a fighter that was not named.
_HARM = with_facts(Fact.HARM)
# Moments of damage, whose attack is that of an enemy.
_DAMAGE = EVENTS.where(lambda it: it.is_damage)


def with_targets(draft: Draft, kind: str, part: Data) -> Data:
    """Return a clause with the targets that it names; what it refers to must have been named."""
    unclear_if(kind == "turns" and not draft.context.rolls_hits, "which hit")
    if part.get("of") == THAT_ATTACK and draft.context.event in _DAMAGE:  # The one that damages the fighter.
        unclear_if(kind != "half_damage", "whose attack")
        part = {**part, "of": SUBJECT if draft.context.is_of_friend else SELF, "incoming": True}
    if part.get("direction") == "away-it":  # Away from the user, if it moves one that the clause names.
        is_of_user = isinstance(part.get("of"), dict) and not draft.context.picked
        part = {**part, "direction": "away" if is_of_user else "away-picked"}
    if part.get("direction", "").endswith("-picked"):
        unclear_if(not draft.context.picked, "toward whom")
        if draft.context.picked == "enemy" and part["of"] == IT:
            part = {**part, "of": SELF}  # Nobody moves away from itself.
    named = [key for key in ("target", "against") if isinstance(part.get(key), str)]
    groups = [key for key in ("target",) if isinstance(part.get(key), dict)]
    return {
        **part,
        **{key: _target_of(draft, part[key]) for key in named},
        **{key: draft.resolve_group(part[key]) for key in groups},
    }


def with_faces(draft: Draft, part: Data) -> Data:
    """Return a clause without the faces that it names itself: 'each that rolls a 5+ suffers 1 damage'."""
    of = part.get("of")
    if isinstance(of, dict) and "moves_within" in of:
        end = {"for": of["for"]} if "for" in of else {}
        add_moment(draft, "when", {"is": {"event": "enemy-move", "within": of["moves_within"], **end}})
        return {**part, "of": PICKED}
    if isinstance(of, dict) and "face" in of:
        add_faces(draft, "on_roll", {**of, "each": draft.context.dice != 1})
        return {**part, "of": ROLLED}
    if "face" in part:
        unclear_if(of == IT and draft.context.subject == SELF, "to whom")
        add_faces(draft, "on_roll", part)
        return {key: value for key, value in part.items() if key not in ("face", "each")}
    return part


def _target_of(draft: Draft, who: str) -> str:
    """Return the target of a bonus attack."""
    party, _, side = draft.resolve(who).partition("-")
    known = {PICKED: draft.context.picked, "attacker": draft.context.event in HAVE_ATTACKER}
    unclear_if(not known.get(party) or side not in ("", draft.context.picked), "which target")
    return party


def in_scope(draft: Draft, kind: str, part: Data) -> Data:
    """Return a clause for the attacks that 'when it attacks' names."""
    if not draft.scope:
        return part
    is_of_owner = kind in OF_ATTACKS and part.get("of") in (IT, SELF, THAT_ATTACK) and not part.get("incoming")
    is_of_weapons = {*part.get("stats", ())} <= {*WEAPON_NUMBERS} and part.get("weapon", "any") == "any"
    unclear_if(not (is_of_owner and is_of_weapons), "not of that attack")
    others = {key: value for key, value in part.items() if key not in ("of", "weapon", "for")}
    return {**others, **draft.scope}


def require_clear_subject(draft: Draft, kind: str, part: Data) -> None:
    """Raise UnclearError for 'it' that is harmed or after an enemy's move, and for the Attacks of an attack or target.

    'It may make a bonus attack' is about the fighter that reacts, and 'Subtract 1 from its Strength' about either.
    """
    is_own = part.get("of") == IT and draft.context.subject == SELF
    unclear_if(is_own and not draft.context.names_fighter and kind in _HARM, "whom it harms")
    is_enemy = draft.context.is_of_enemy and draft.context.subject == PICKED
    unclear_if(
        part.get("of") == IT and is_enemy and is_good(kind, part), "for the enemy, or for the fighter that reacts"
    )
    is_of_attack = {*WEAPON_NUMBERS} & {*part.get("stats", ())} and draft.context.event in HAVE_ATTACKER
    if is_of_attack and part.get("of") == IT and draft.context.subject == SELF and not part.get("incoming"):
        unclear_if(draft.span.get("for") != "attack", "of the attack, or of the fighter that reacts")
        part["of"] = "attacker"


def is_good(kind: str, part: Data) -> bool:
    """Return whether a consequence is good for a fighter."""
    return kind in _GOOD or any(number > 0 for number in part.get("numbers", ()))


MAX_WORDS = 5
_LABEL = re.compile(
    r"\s*(?P<title>[\"“'‘]?[A-Z][^\d:;()\[\]+=%]{1,40}?)(?P<mark>!?)"
    r"[?.]?[\"”’']?(?::|\s[-–—]+)\s+(?=\S)"
)
_WORD = re.compile(r"[^\W\d_]+(?:[’'][^\W\d_]+)?")
# A battle cry in quotes, which can say anything.
_QUOTED = re.compile(r"\s*[\"“][^\"“”\d]+[\"”][!.?]?\s*")
_SMALL, _TERMS = words_of("small"), words_of("terms")


def is_title(text: str) -> bool:
    """Return whether a sentence is only a name or a motto: a few words that do not make a rule."""
    words = _WORD.findall(text)
    if _QUOTED.fullmatch(text):
        return len(words) <= MAX_WORDS
    if not 0 < len(words) <= MAX_WORDS or any(each.isdigit() for each in text) or set(text) & set(":;()[]+=%{}"):
        return False
    if re.search(r"\b(?:up to|one of)\b", text):
        return False
    plain = [word.lower().replace("’", "'") for word in words if word not in _SMALL]
    if not plain or not LIMITS.isdisjoint(plain) or not ORDINALS.isdisjoint(words):
        return False
    is_capitalized = all(word[0].isupper() or word in _SMALL for word in words)
    can_have_terms = text.rstrip("\"”’'").endswith("!") or (is_capitalized and not _TERMS.issuperset(plain))
    return can_have_terms or _TERMS.isdisjoint(plain)


def title_end(text: str) -> int:
    """Return where a rule begins after a title and a colon or dash, or 0."""
    match = _LABEL.match(text)
    return match.end() if match and is_title(match["title"] + match["mark"]) else 0


LINKS = frozenset(("and", "then", "but", ";"))
# What authors put before a rule: '[Double]', 'REACTION:', 'Blessing -', 'Spend a triple and', 'Got a quad?'
_SET = r"(?P<{}>double|triple|quad)"
_PRICE = re.compile(
    rf"""\s*(?:
    \[(?P<bracketed>double|triple|quad|reaction)\]
    | (?P<label>double|triple|quad|reaction|blessing|(?:battle[ ])?trait)\s*[-,:–—]
    | (?:with|for|(?:by[ ]|if[ ]you[ ])?(?:spend|spending|using))[ ]an?[ ]{_SET.format("paid")}
        (?:\s*[,:.]|(?:\s*,)?[ ](?:and|to)\b)(?:[ ]and\b)?
    | (?:if[ ]you(?:[ ]have|['’]ve|[ ]have[ ]got|['’]ve[ ]got)|got)[ ]an?[ ]{_SET.format("held")}
        (?:[ ]to[ ](?:spend|use|spare))?\s*[,?:]
    )\s*""",
    re.IGNORECASE | re.VERBOSE,
)
# What begins a sentence that only goes on with the one before: 'This lasts until …', or 'Never below 1'.
_CONTINUES = re.compile(
    r"\(?(?:(?:this|that|these|those|its?|they|both|against|never|no|not|(?:to an? )?min(?:imum)?)\b"
    r"|enem(?:ies|y fighters) (?:can['’]?t|cannot|may not)|no reactions|without it counting"
    r"|the (?:effect|bonus|penalty|modifier)|on (?:an? )?\d|[^.]*\binstead\b"
    r"|(?:change|swap|add \d to) the values? of those)",
    re.IGNORECASE,
)


_INSTEAD = re.compile(r"\binstead\b", re.IGNORECASE)


class _Place(NamedTuple):
    """A sentence to be read: its text, how many characters of it are skipped, and the context before it."""

    span: SentenceSpan
    skipped: int
    context: Context


@lru_cache(maxsize=1 << 13)
def read_sentences(text: str, price: str = "") -> tuple[SentenceReading, ...]:
    """Return the sentences of a text, as far as they were read.

    A sentence can refer to the ones before: 'that fighter', 'it', 'on a 4+'. `price` is that of the card, or ''.
    """
    start = _PRICE.match(text)
    written = next(each for each in start.groups() if each).lower() if start else price
    is_trait = written.endswith("trait")
    written = "" if is_trait else written
    spans = [*_with_questions(text)]
    if price not in ("", written):
        reason = f"the price of the card is {price}"
        return tuple(SentenceReading(*span, Level.UNREAD, reason=reason) for span in spans)
    context, readings = Context(price=written, is_trait=is_trait), list[SentenceReading]()
    before: _Place | None = None
    for span in spans:
        place = _Place(span, start.end() if start and not readings else 0, context)
        reading, context = _read_at(place, is_first=not readings, is_last=span is spans[-1])
        joined = _join(before, place) if before and reading.level == Level.UNREAD else None
        if joined:
            readings[-1], reading, context = joined
        elif readings and reading.level == Level.UNREAD and _INSTEAD.search(span.text):
            reason = "the next sentence replaces part of it"
            readings[-1] = SentenceReading(readings[-1].text, readings[-1].start, Level.UNREAD, reason=reason)
        readings.append(reading)
        before = place
    return tuple(readings)


def _with_questions(text: str) -> Iterator[SentenceSpan]:
    """Yield the sentences of a text; a question is the beginning of the sentence after it."""
    start: int | None = None
    for span in split_sentences(text):
        start = span.start if start is None else start
        if not span.text.endswith("?"):
            yield SentenceSpan(text[start : span.start + len(span.text)], start)
            start = None
    if start is not None:
        yield SentenceSpan(text[start:].rstrip(), start)


def _read_at(place: _Place, *, is_first: bool, is_last: bool) -> tuple[SentenceReading, Context]:
    """Return a sentence as it was read, without a title before it, or as a fighter that is only named."""
    span, skipped, context = place
    title = title_end(span.text[skipped:])
    reading, after = _read(span, skipped + title, context)
    if reading.level == Level.UNREAD and is_first and not is_last and is_title(span.text[skipped:]):
        return SentenceReading(*span, Level.READ, value=()), context
    if reading.level == Level.UNREAD and context.price and _is_topic(span.text[skipped + title :]):
        reading, after = _read_topic(span, skipped + title, context)
    if reading.level == Level.UNREAD and title:
        whole = _read(span, skipped, context)
        return whole if whole[0].level != Level.UNREAD else (reading, after)
    return reading, after


def _is_topic(text: str) -> bool:
    tokens = GRAMMAR.tokenize(text.rstrip(" .!"))
    return any(match.end == len(tokens) for match in GRAMMAR.chart(tokens).matches("topic", 0)) if tokens else False


def _read_topic(span: SentenceSpan, skipped: int, context: Context) -> tuple[SentenceReading, Context]:
    """Return a sentence that only names a fighter, read as a pick: 'Visible enemy within 6"'."""
    text = span.text.rstrip(" .!")
    reading, after = _read(SentenceSpan(f"{text} :", span.start), skipped, context)
    end = span.start + len(text)
    clauses = tuple(
        each._replace(text=each.text.removesuffix(" :"), end=min(each.end, end)) for each in reading.clauses
    )
    return reading._replace(text=span.text, find_clauses=lambda: clauses), after


def _join(before: _Place, place: _Place) -> tuple[SentenceReading, SentenceReading, Context] | None:
    """Return a sentence and one that only goes on with it, or None if they are not read as one."""
    (text, start), span = before.span, place.span
    if text[-1:] not in (".", "!") or not _CONTINUES.match(span.text):
        return None
    if place.context.subject == GROUP and _IT.search(span.text):
        return None
    gap = " " * (span.start - start - len(text))
    both = SentenceSpan(f"{text[:-1]},{gap}{span.text}", start)
    skipped = before.skipped + title_end(text[before.skipped :])
    reading, context = _read(both, skipped, before.context)
    if reading.level == Level.UNREAD:
        return None
    first = tuple(each for each in reading.clauses if each.start < span.start)
    rest = tuple(each for each in reading.clauses if each.start >= span.start)
    return (
        reading._replace(text=text, find_clauses=lambda: first),
        reading._replace(text=span.text, start=span.start, value=(), canonical="", find_clauses=lambda: rest),
        context,
    )


def _read(sentence: SentenceSpan, skipped: int, before: Context) -> tuple[SentenceReading, Context]:
    """Return a sentence as it was read, and the context after it."""
    contexts: dict[tuple[Change, ...], Context] = {}
    rest = SentenceSpan(sentence.text[skipped:], sentence.start + skipped)
    if before.subject == GROUP and _IT.search(rest.text):  # One fighter is not a group of the sentence before.
        before = replace(before, subject=EITHER)

    def assemble(parts: tuple[Part, ...], tokens: tuple[Token, ...]) -> Iterator[Interpretation]:
        if any(_says_also(part, tokens) for part in parts):
            return
        draft, end = Draft(before), 0
        for part in parts:  # A word such as 'and' leads on to a clause.
            draft.leads_on = draft.is_after or any(token.word in LINKS for token in tokens[end : part.start])
            draft.is_after, end = False, part.end
            _add(draft, plain(part.meaning))
        changes = tuple(_with_user(Change.model_validate(each), rest.text) for each in finish(draft))
        in_range = any(isinstance(part.meaning, Features) and part.meaning.get("in_range") for part in parts)
        is_lost = in_range and not all(change.bonus_attack or change.pick for change in changes)
        if is_lost or any(map(idle_keys, changes)) or not (changes or draft.is_nothing):
            return  # Words of the sentence would be lost.
        context = context_after(draft, changes)
        if _agree_in_number(rest.text, changes, context):
            contexts[changes] = context
            yield Interpretation(changes, draft.is_loose)

    def write(changes: tuple[Change, ...]) -> str:
        return " ".join(sentences(changes, before.dice or 1, picks_several=before.picks_several))

    reading = read_sentence(GRAMMAR, rest, assemble, lambda _: 0, write)
    reading = reading._replace(text=sentence.text, start=sentence.start)
    if reading.level == Level.UNREAD:
        return reading, replace(before, is_known=False, has_subject=False)
    return reading, contexts[reading.value]


# A sentence in which a fighter uses the rule: 'once per battle' is for each then, and for the warband otherwise.
_FIGHTER = r"\b(?:this|an?|each|every) fighter (?:can|may|must)"
_USES_RULE = re.compile(rf"{_FIGHTER}(?: only)? (?:use|make) this\b", re.IGNORECASE)
_ACTS = re.compile(rf"{_FIGHTER}\b|\bthis fighter (?:is|makes|has|gains|adds|takes|heals|removes)\b", re.IGNORECASE)
_RULE = re.compile(r"\bthis (?:ability|reaction|action)\b", re.IGNORECASE)
_ONCE = re.compile(r"\bonce\b", re.IGNORECASE)


def _with_user(change: Change, text: str) -> Change:
    """Return a change whose use once per battle is for each fighter if the sentence is about one."""
    use = change.only_if
    names = _USES_RULE if _RULE.search(text) else _ACTS
    if use is None or not use.once or not (_ONCE.search(text) and names.search(text)):
        return change
    return change.model_copy(update={"only_if": use.model_copy(update={"by_fighter": True})})


# Words for one fighter and for several, where they refer to those that were picked.
_OF_ONE = re.compile(
    r"\b(?:it|its|itself|(?:that|the (?:picked|chosen)) (?:friendly |enemy )?(?:fighter|enemy|friend))\b", re.IGNORECASE
)
_IT = re.compile(r"\b(?:it(?! (?:last|appl|endur|persist|continu|remain|does not affect))|its|itself)\b", re.IGNORECASE)
_OF_SEVERAL = re.compile(r"\b(?:they|them|their|themselves|those|these|each|every|both|all)\b", re.IGNORECASE)
_ONLY_OF_SEVERAL = re.compile(
    r"\b(?:those|these) (?:fighters|enem|friend)|\b(?:each|all|both) of (?:them|those|these)\b"
    r"|\b(?:they|them) (?:each|all|both)\b|\beach[.!]?$",
    re.IGNORECASE,
)
# 'Each' of one fighter, and a ban on doing two things, not on doing this one.
_UNCLEAR = re.compile(r"\bit each\b|\b(?:cannot|can['’]t|not|never) also\b", re.IGNORECASE)


def _agree_in_number(text: str, changes: Iterable[Change], context: Context) -> bool:
    """Return whether a sentence about picked fighters has words for one if one was picked, or for several.

    A condition of one of several is about that one.
    """
    if _UNCLEAR.search(text):
        return False
    changes = [change for change in changes if not (change.pick or change.roll_each)]
    if not any(change.of == "picked" for change in changes):
        return True
    if any(
        isinstance(change.of, Group)
        or any(each is not None and each.of == "picked" for each in (change.condition, change.unless))
        for change in changes
    ):
        return True
    if context.picks_several:
        return bool(_OF_SEVERAL.search(text)) or not _OF_ONE.search(text)
    return not _ONLY_OF_SEVERAL.search(text)


def _says_also(part: Part, tokens: Sequence[Token]) -> bool:
    """Return whether a clause about when something happens says that something else must happen, too."""
    kinds = (*NAMING, "only_for", "not_for")
    is_frame = isinstance(part.meaning, Features) and part.meaning.get("kind") in kinds
    return is_frame and any("also" in token.written.split() for token in tokens[part.start : part.end])
