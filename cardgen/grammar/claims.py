"""What the sentences of a text say of their card, as features that can be compared with its data."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple, cast

from cardgen.grammar.clauses import NUMBER, NUMERALS, SIGNIFICANT, Features, Meaning, Series, Token
from cardgen.grammar.grammar import Grammar, Terminal, TooComplexError
from cardgen.grammar.reading import Interpretation, Level, Part, SentenceSpan, read_sentence, split_sentences


class Claim(NamedTuple):
    """What a clause says, and the first character and the one after the last."""

    meaning: Features
    start: int
    end: int


class Claims(NamedTuple):
    """The claims of a text, and the sentences that were not read exactly, to the last word."""

    claims: tuple[Claim, ...]
    unread: tuple[SentenceSpan, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether every sentence was read, and there is one."""
        return bool(self.claims) and not self.unread

    def and_also(self, others: Claims) -> list[Claim]:
        """Return these claims and, of sentences that were not read, those of `others` about other keys."""
        known = {key for claim in self.claims for key, _ in claim.meaning}
        left = [range(start, start + len(sentence)) for sentence, start in self.unread]
        more = [each for each in others.claims if known.isdisjoint(key for key, _ in each.meaning)]
        return [*self.claims, *(each for each in more if any(each.start in sentence for sentence in left))]


# Clauses that say the same of a card wherever they stand in a sentence: of its profile, of its rules, which may name
# others, and of its effects, which may concern others. They say it unless the sentence has a condition, unless it has
# turned to somebody else before, and unless the words up to the next comma have an exception or a comparison.
_MENTION, _TRAIT, _DEED = "mention", "trait", "deed"
_CONDITIONS = frozenset(
    (
        *("if", "unless", "except", "when", "whenever", "while", "before", "after", "until", "during", "once", "since"),
        *("instead", "per", "than"),
    )
)
_PAST = frozenset(
    (
        *("was", "were", "had", "did", "killed", "slain", "years", "year", "ago", "would", "could", "took", "fought"),
        *("lost", "got", "came", "went", "gave", "made", "broke", "wore", "fell", "bore", "used"),
    )
)
# What makes a part of a sentence a condition or an exception.
_SUBORDINATE = _CONDITIONS - {"than", "per", "once"} | {"as", "not", "never", "without", "against", "or"}
_OTHERS = frozenset(
    (
        *("enemy", "enemies", "foe", "foes", "friend", "friends", "friendly", "ally", "allies", "target", "targets"),
        *("opponent", "opponents", "victim", "victims", "anyone", "anybody", "everyone", "everybody", "they", "their"),
        *("nobody", "nothing", "whoever"),
        *("those", "these", "them", "whose", "model", "models", "brother", "sister", "father", "mother", "master"),
        *("brothers", "sisters", "parents", "masters", "son", "sons", "daughter", "daughters", "servant", "servants"),
        *("horse", "mount", "crew", "companion", "companions", "men", "women", "others", "another", "other"),
        *("turn", "turns", "round", "rounds", "charge", "charges", "rolls", "roll", "disk", "disks"),
    )
)
_LOCAL = SIGNIFICANT | frozenset(
    (
        *("or", "more", "less", "fewer", "better", "worse", "higher", "lower", "beyond", "plus", "minus", "by", "nor"),
        *("down", "become", "becomes", "sink", "sinks", "drop", "drops", "rise", "rises", "raise", "raises"),
        *("might", "should", "can", "almost", "nearly", "about", "like", "as", "but", "against", "within", "from"),
        *("lose", "loses", "add", "adds", "reduce", "reduces", "halve", "halves", "repeat", "repeats", "reroll"),
        *("hundred", "thousand", "dozen", "score"),
        *("need", "needs", "say", "says", "call", "calls", "who", "which", "ignore", "ignores"),
    )
)
# A disk that is 'this disk' is not another one.
_OWN = frozenset(("disk",))
# An effect is the same for whomever it concerns.
_OF_ANYBODY = frozenset(
    ("one", "other", "others", "another", "any", "each", "every", "all", "may", "up", "both", "who")
)
# Words of a place or an opponent: what a sentence mentions after one at its start, or right before one, holds only
# there.
_OPENINGS = frozenset(
    (
        *("against", "versus", "vs", "facing", "near", "beside", "among", "inside", "outside", "under", "on"),
        *("only", "without", "within", "beyond"),
    )
)
_ARTICLES, _OWNING = frozenset(("a", "an")), frozenset(("with", "who", "that", "whose"))
# 'As a bear, it has Strength 5', unlike 'as old as the hills'.
_LONG_OPENINGS = (["as", "long"], ["as", "a"], ["as", "an"])
_PENALTIES = frozenset(("penalty", "penalties"))
_LIMITS = _OPENINGS | {"in", "at", "for", "to", "with", "that"}
# What a rule is about in these is a part of those to whom it applies.
_SOME = frozenset(("small", "medium", "large", "hero", "heroes", "unit", "units", "elite", "unique"))
# Beside a mention, a trait, and a deed, what nothing before it in the sentence may have, and what no part of it.
_PROVISOS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    _MENTION: (_OTHERS, _LOCAL),
    _TRAIT: (frozenset(), (_LOCAL - {"may", "from"}) | _SOME),
    _DEED: (frozenset(), _LOCAL - _OF_ANYBODY - {"from"}),
}
_BREAKS = frozenset(",;:()")
# What changes nothing: comparisons with nobody in particular, and 'only' before a number that is exact anyway.
_ASIDE = re.compile(
    r"(?i)\b(?:(?:more|less|better|worse|\w+er) \w* ?than (?:most|many|any(?:one|body)?(?: else)?|others"
    r"|(?:he|she|it|they) looks?)|(?:before|ahead of) (?:any|every)(?:one|body) else|at all"
    r"|for once|as (?:ever|well(?! as))|rather than \w+|them all|of any (?:kind|sort)|whatsoever|for it"
    r"|(?:whoever|any(?:one|body) who) (?:bears|lifts|carries|wields|holds|swings|shoots|fires|draws|owns) it"
    r"|(?:while|when|as) (?:you|he|she|its \w+) (?:swings?|lifts?|wields?|uses?|shoots?|fires?|draws?) it"
    # 'It is quick as a snake', unlike 'as long as a foe is near' and 'it is known as a wizard'.
    r"|(?:as |(?<=\bis ))(?!(?:long|soon|often|far|much|many|well|known|same|such|\w+ed)\b)\w+ as an? \w+"
    rf"|(?:only|just|exactly|precisely|merely)(?= (?:an? )?(?:\d|(?:{'|'.join(NUMERALS)})\b)))\b"
)
# 'Anything but' does not separate two statements, as 'but' is elsewhere.
_NO_BREAK = frozenset(("anything", "everything", "nothing", "none", "nobody", "all", "any"))


def read_claims(grammar: Grammar, text: str, own: frozenset[str] = frozenset()) -> Claims:
    """Return the claims of the sentences that are read to the last word, and what others mention without a proviso.

    `own` are words that stand for the card itself, such as 'they' for a list of members.
    """
    claims: list[Claim] = []
    unread: list[SentenceSpan] = []
    for sentence in split_sentences(text):
        reading = read_sentence(grammar, sentence, _assemble)
        if reading.level == Level.READ:
            spans = zip(reading.value, reading.clauses, strict=True)
            claims += [Claim(meaning, span.start, span.end) for meaning, span in spans]
        else:
            unread.append(sentence)
            claims += _mentioned(grammar, sentence, own)
    return Claims(tuple(claims), tuple(unread))


def _mentioned(grammar: Grammar, sentence: SentenceSpan, itself: frozenset[str]) -> Iterator[Claim]:
    """Yield what a sentence mentions that is not read as a whole, unless another word of it could change that."""
    text = _ASIDE.sub(lambda aside: " " * len(aside[0]), sentence.text)
    tokens = grammar.tokenize(text)
    for symbol, (others, provisos) in _PROVISOS.items():
        try:
            found = [each for each in grammar.occurrences(symbol, text) if isinstance(each[0], Features)]
        except TooComplexError:
            return
        inside = {place for _, start, end in found for place in range(start, end)}
        rest = [token for token in tokens if token.start not in inside]
        buts = {after.start for this, after in pairwise(tokens) if after.word == "but" and this.word not in _NO_BREAK}
        breaks = [token.start for token in rest if token.word in _BREAKS or token.start in buts]
        own = {after.start for this, after in pairwise(tokens) if this.word == "this" and after.written in _OWN}
        changed, turned, begins, begun = set[int](), len(breaks) + 1, False, -1
        for index, token in enumerate(rest):
            before, following = rest[index - 1] if index else None, (*rest, None)[index + 1]
            words, part = {token.word, token.written} - itself, bisect(breaks, token.start)
            # 'Where others strike once' counts, unlike 'once he has struck'.
            is_counted = token.word == "once" and (following is None or following.word in ".,;")
            if words & _CONDITIONS and not is_counted and token.start not in own:
                turned = 0
            elif words & others and token.start not in own:
                turned = min(turned, part)
            if symbol == _MENTION and before is not None and before.start in breaks:
                # 'Two Attacks, in the open', and 'giants have 3 Attacks, but not this one', unlike 'without penalties'.
                is_plain = following is not None and following.written in _PENALTIES
                changed |= {part - 1} if token.word in _LIMITS and not is_plain else set()
                turned = 0 if token.word == "not" and before.word == "but" else turned
            # 'A giant of three Wounds, she sings', unlike 'a giant swings it' and 'she knows a giant with 3 Wounds'.
            is_first = before is None or before.start in breaks or before.word == "is"
            begins = is_first and token.written in _ARTICLES if part != begun else begins
            begun = part
            owner = [each.written for each in rest[index : index + 3]]
            is_owned = not is_first and owner[0] in _ARTICLES and owner[-1] in _OWNING and grammar.is_strange(owner[1])
            if symbol == _MENTION and (is_owned or (begins and re.fullmatch("[a-z]{3,}s", token.written))):
                changed.add(part)
            if token.start not in buts and (
                words & (provisos | _PAST) or (token.kind and not _is_count(token, following))
            ):
                changed.add(part)
        told = {bisect(breaks, token.start) for token in rest if token.word not in _BREAKS | {"and", "."}}
        counted = {
            bisect(breaks, this.start)
            for this, after in pairwise(rest)
            if this.kind == NUMBER and after.word not in _LIMITS and after.word.isalpha()
        }
        first = [token.word for token in tokens[:2]]
        opens = first in _LONG_OPENINGS or not _OPENINGS.isdisjoint(first[:1])
        opening = breaks[0] if breaks and opens else 0
        is_elsewhere = symbol != _DEED and opening > 0 and all(start > opening for _, start, _ in found)
        for meaning, start, end in found:
            then = next((token.word for token in tokens if token.start >= end), "")
            # 'On foot, it has 2 Attacks' does not say that it is on foot.
            is_place = opens and start == tokens[0].start and then == ","
            # 'Twice a day' is not 'twice', and 'mounted on a goat' is 'mounted on'.
            is_rate = then in _ARTICLES and any(type(value) is int for _, value in cast("Features", meaning))
            is_limited = symbol != _DEED and (is_elsewhere or is_place or is_rate or then in _LIMITS)
            part = bisect(breaks, start)
            # 'Two dukes, three wounds, and one regret' is a list of things.
            is_limited |= part not in told and not counted.isdisjoint((part - 1, part + 1))
            if part < turned and part not in changed and not is_limited:
                yield Claim(cast("Features", meaning), sentence.start + start, sentence.start + end)


def read_members(grammar: Grammar, text: str, barring: frozenset[str] = frozenset()) -> tuple[list[Claim], list[Claim]]:
    """Return the members of classes that a text names anywhere, and those that its sentences state.

    A part of a sentence with a condition or with one of the words that are `barring` states nothing.
    """
    named: list[Claim] = []
    stated: list[Claim] = []
    for sentence in split_sentences(text):
        found = [each for each in grammar.occurrences("member", sentence.text) if isinstance(each[0], Features)]
        inside = {place for _, start, end in found for place in range(start, end)}
        tokens = [token for token in grammar.tokenize(sentence.text) if token.start not in inside]
        breaks = [token.start for token in tokens if token.word in _BREAKS]
        closed = {bisect(breaks, each.start) for each in tokens if {each.word, each.written} & (_SUBORDINATE | barring)}
        for meaning, start, end in found:
            named.append(Claim(cast("Features", meaning), sentence.start + start, sentence.start + end))
            stated += named[-1:] if bisect(breaks, start) not in closed else []
    return named, stated


def _is_count(token: Token, following: Token | None) -> bool:
    """Return whether a number counts something, as in 'two knives', unlike in 'two of them'."""
    return token.kind == NUMBER and not (following and following.word == "of")


def _assemble(parts: tuple[Part, ...], _: tuple[Token, ...]) -> Iterator[Interpretation]:
    """Yield the meanings of the clauses in order; two that are joined share what one of them leaves out.

    'Empower this disk and another one within short range': the second part is an ellipsis, without a verb.
    """
    meanings: list[Features] = []
    for part in parts:
        meaning = part.meaning
        if not isinstance(meaning, Features):
            return
        own = dict(meaning)
        if own.pop("joined", False):
            if not meanings:
                return
            before = dict(meanings[-1])
            meanings[-1], meaning = Features.of(**(own | before)), Features.of(**(before | own))
        meanings.append(meaning)
    yield Interpretation(Series(meanings))


# What a gap in a form skips: no word that has a bearing on what is said.
_STOPS = _LOCAL | _CONDITIONS | _PAST | _OTHERS | _BREAKS | {"so", "because", "though", "although", "nor", "neither"}
_SKIPPED = frozenset(
    (
        *("each", "every", "any", "all", "up", "again", "too", "also", "both", "need", "from"),
        *("turn", "turns", "round", "rounds", "charge"),
    )
)
_LONGEST_GAP = 4


def _skip(tokens: tuple[Token, ...], start: int) -> Iterator[tuple[int, Meaning]]:
    """Match no word or a few words that change nothing."""
    yield start, None
    for end, token in enumerate(tokens[start : start + _LONGEST_GAP], start=start + 1):
        if token.kind or not (token.word.isalpha() or token.word == "'s") or {token.word, token.written} & _STOPPING:
            return
        yield end, None


_STOPPING = _STOPS - _SKIPPED
gap = Terminal("", _skip, is_optional=True)
_MOST_WORDS = 3


def thing(is_strange: Callable[[str], bool]) -> Terminal:
    """Return the symbol of a name such as 'Ferry Lantern': a few words that occur in no clause, and change none.

    Its meaning is the words in small letters.
    """

    def match(tokens: tuple[Token, ...], start: int) -> Iterator[tuple[int, Meaning]]:
        for end in range(start + 1, min(start + _MOST_WORDS, len(tokens)) + 1):
            word = tokens[end - 1]
            if word.kind or word.word in SIGNIFICANT or not is_strange(word.word):
                return
            yield end, " ".join(token.word for token in tokens[start:end])

    return Terminal("", match)
