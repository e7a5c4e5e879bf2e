"""Clauses: words of sentences and phrases, meanings with their templates, and the tables that hold them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

# Tokens of card text, with the spelling freedoms of authors removed.

# Texts beyond these limits are not read.
MAX_CHARACTERS, MAX_TOKENS = 2_500, 500
NUMBER, SIGNED, NAME, DIE = "number", "signed", "name", "die"
_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
NUMERALS = {word: value for value, word in enumerate(f"{_ONES} seventeen eighteen nineteen".split())}
_TEN_STEMS = ("twen", "thir", "for", "fif", "six", "seven", "eigh", "nine")
_TENS = {f"{stem}ty": 10 * tens for tens, stem in enumerate(_TEN_STEMS, start=2)}
NUMERALS |= _TENS
_UNITS = {
    "cm": "cm", "cms": "cm", "centimeter": "cm", "centimeters": "cm", "centimetre": "cm", "centimetres": "cm",
    "inch": "inch", "inches": "inch", "in.": "inch",
}  # fmt: skip
_CONTRACTIONS = {"can't": "cannot", "won't": "will not", "shan't": "shall not", "ain't": "is not"}
_TOKEN = re.compile(
    r"""
    (?P<name>(?<![\w*])\*(?![\s*])(?:\\.|[^\\*])+(?<!\s)\*(?![\w*]))  # *Stone Skin*
    | (?P<range>(?<=\d)\s?[-–]\s?(?=\d))
    | (?P<or_less>(?<=\d)[-–](?!\w))  # 5-
    | (?P<mark>\*+|\\(?=[\\*{}]))
    | \{(?P<icon>[A-Za-z0-9][\w-]*)\}
    | (?P<dice>\d*[dD](?:3|4|6|8|10|12|20|66|100))(?!\w)
    | (?P<sign>(?<![\w)])[+\-−–](?=\s?\d))\s?(?P<change>\d+)(?!\w*\d)
    | (?P<number>\d+)(?P<prime>\s?["″”]|''|(?:in|ins)\b\.?)?
    | (?P<possessive>(?<!\w)['’]s\b)
    | (?P<word>(?:[rR]e-(?=\w))?[^\W\d_]\w*(?:['’][^\W\d_]+)?)
    | (?P<point>[,;:.!?()\[\]+%/=])
    | (?P<other>[^\s"“”‘’'\-–—])
    """,
    re.VERBOSE,
)
_SIGN_WORDS = {"plus": 1, "minus": -1}


class Token(NamedTuple):
    """A token: its normalized word, its place in the text, and the kind and value of a number, die, or name.

    `written` is the word in lower case before another one stood for it, for names that are not known to the grammar;
    `is_capitalized` says that it began with a capital.
    """

    word: str
    start: int
    end: int
    kind: str = ""
    value: int | str = 0
    written: str = ""
    is_capitalized: bool = False


def _number(value: int, start: int, end: int) -> Token:
    return Token(str(value), start, end, NUMBER, value)


def _signed(value: int, start: int, end: int) -> Token:
    return Token(f"{value:+}", start, end, SIGNED, value)


def tokenize(text: str, lemmas: Mapping[str, str]) -> tuple[Token, ...]:
    """Return the tokens of a sentence; `lemmas` maps a form of a word to the word that stands for it.

    Capitals, hyphens, quotes, bold marks, units, numerals in words, and contractions are normalized. Places refer to
    the text as it is.
    """
    # Join 'plus' with the number after it, and replace each word with its lemma.
    tokens: list[Token] = []
    lexemes = tuple(each for match in _TOKEN.finditer(text[: MAX_CHARACTERS + 1]) for each in _lexeme(match))
    sign: Token | None = None
    for token in replace_phrases(lexemes, _SPOKEN):
        if sign:
            if token.kind == NUMBER:
                tokens.append(_signed(_SIGN_WORDS[sign.word] * int(token.value), sign.start, token.end))
                sign = None
                continue
            tokens.append(sign)
        sign = token if token.word in _SIGN_WORDS else None
        before = tokens[-1] if tokens else None
        is_rest = token.kind == NUMBER and before is not None and text[token.start : token.end].isalpha()
        if is_rest and before and text[before.start : before.end].lower() in _TENS and 0 < int(token.value) < 10:
            tokens[-1] = _number(int(before.value) + int(token.value), before.start, token.end)
        elif not sign:
            tokens.append(token._replace(word=lemmas.get(token.word, token.word), written=token.word))
    if sign:
        tokens.append(sign)
    return tuple(tokens)


def _lexeme(match: re.Match[str]) -> Iterator[Token]:
    start, end = match.span()
    match match.lastgroup:
        case "name":
            yield Token("*", start, end, NAME, re.sub(r"\\([\\*{}])", r"\1", match[0][1:-1]))
        case "icon":
            yield Token(f"{{{match['icon'].lower()}}}", start, end)
        case "word":
            words = _word(match["word"].lower().replace("’", "'").replace("-", ""), start, end)
            yield from (word._replace(is_capitalized=True) for word in words) if match["word"][0].isupper() else words
        case "possessive":
            yield Token("'s", start, end)
        case "range":
            yield Token("to", start, end)
        case "point" | "other" | "or_less":
            yield Token(match[0], start, end)
        case _:
            yield from _amount(match)


def _amount(match: re.Match[str]) -> Iterator[Token]:
    """Yield the tokens of a number, a change, or a die; none for marks."""
    start, end = match.span()
    match match.lastgroup:
        case "dice":
            count, faces = re.split("[dD]", match["dice"])
            yield Token(f"{count or 1}d{faces}", start, end, DIE, f"{count or 1}d{faces}")
        case "change":
            yield _signed(int(match["change"][:6]) * (1 if match["sign"] == "+" else -1), start, end)
        case "number" | "prime":
            digits_end = match.end("number")
            yield _number(int(match["number"][:6]), start, digits_end)
            if match["prime"]:
                yield Token("inch", digits_end, end)


def _word(word: str, start: int, end: int) -> Iterator[Token]:
    if word in _CONTRACTIONS:
        yield from (Token(part, start, end) for part in _CONTRACTIONS[word].split())
    elif word.endswith("n't"):
        yield from (Token(word[:-3], start, end - 3), Token("not", end - 3, end))
    elif "'" in word:
        stem, _, ending = word.partition("'")
        yield from (Token(stem, start, start + len(stem)), Token(f"'{ending}", start + len(stem), end))
    elif word in NUMERALS:
        yield _number(NUMERALS[word], start, end)
    else:
        yield Token(_UNITS.get(word, word), start, end)


# Words that stand for others: 'each time' for 'when', or 'the bearer' for 'this fighter'.


class Phrase(NamedTuple):
    """Consecutive words, and the words that they stand for."""

    words: tuple[str, ...]
    meaning: tuple[str, ...]


# The phrases by their first word, the longest first.
PhraseBook = Mapping[str, tuple[Phrase, ...]]


def phrase_book(phrases: Sequence[Phrase]) -> PhraseBook:
    """Return the phrases by their first word, the longest first, so that an exception can precede a rule."""
    by_length = sorted(phrases, key=lambda phrase: -len(phrase.words))
    return {
        first: tuple(phrase for phrase in by_length if phrase.words[0] == first)
        for first in {phrase.words[0] for phrase in phrases}
    }


def replace_phrases(tokens: tuple[Token, ...], book: PhraseBook) -> tuple[Token, ...]:
    """Replace phrases with what they stand for; the new tokens all have the place of the phrase."""
    may_begin = any(token.word in book for token in tokens)
    return tuple(_replaced(tokens, book)) if may_begin else tokens


def _replaced(tokens: tuple[Token, ...], book: PhraseBook) -> Iterator[Token]:
    index = 0
    while index < len(tokens):
        phrase = _phrase_at(tokens, index, book)
        if phrase is None:
            yield tokens[index]
            index += 1
            continue
        replaced = tokens[index : index + len(phrase.words)]
        written = (" ".join(token.written for token in replaced), *[""] * len(phrase.meaning))
        for word, before in zip(phrase.meaning, written, strict=False):
            kind, value = (NUMBER, int(word)) if word.isdigit() else ("", 0)
            yield Token(word, replaced[0].start, replaced[-1].end, kind, value, written=before)
        index += len(replaced)


def _phrase_at(tokens: tuple[Token, ...], index: int, book: PhraseBook) -> Phrase | None:
    for phrase in book.get(tokens[index].word, ()):
        if tuple(token.word for token in tokens[index : index + len(phrase.words)]) == phrase.words:
            return phrase
    return None


# Idioms of spoken and legal English, for texts of any game: "he's got", 'you get to'. Their words are not lemmas yet.
_IS = """
a able about allowed already an at attacked being carrying damaged done down eliminated finished healed hurt in inside
more moving no not on only out over resolved standing still targeted the visible within wounded
"""
_IDIOMS = {
    **{f"is {word}": f"'s {word}" for word in _IS.split()},
    **{f"has {word}": f"'s {word}" for word in ("been", "lost", "made", "moved", "taken down an", "taken down any")},
    "is taken down": "'s taken down", "are": "'re", "has": "has got|'s got", "have": "have got|'ve got|'ve",
    "must": "has to|have to|has got to|have got to|'s got to|'ve got to", "may": "get to|gets to", "to": "in order to",
    "": "'ll|in which case|in that case|in such a case|of course|whereupon",
}  # fmt: skip
_SPOKEN = phrase_book(
    [
        Phrase(tuple(re.findall(r"'?\w+", idiom)), tuple(meaning.split()))
        for meaning, idioms in _IDIOMS.items()
        for idiom in idioms.split("|")
    ]
)


class Features(tuple[tuple[str, "Meaning"], ...]):
    """Named parts of a meaning, as sorted pairs; hashable."""

    __slots__ = ()

    @classmethod
    def of(cls, **values: Meaning) -> Features:
        """Return the features with these values."""
        return cls(sorted(values.items()))

    def get(self, name: str, default: Meaning = None) -> Any:
        """Return the value of a feature, or the default."""
        return next((value for key, value in self if key == name), default)


class Series(tuple["Meaning", ...]):
    """Meanings in order; merging series joins them."""

    __slots__ = ()


Meaning: TypeAlias = str | int | bool | Features | Series | None
Bindings: TypeAlias = Mapping[str, Meaning]


def merge(parts: Iterable[Features]) -> Features | None:
    """Return the features of all parts, or None if two of them contradict each other.

    Series with the same name are joined; anything else that is named twice is a contradiction, even if it is equal.
    """
    merged: dict[str, Meaning] = {}
    for part in parts:
        for key, value in part:
            earlier = merged.get(key)
            if key not in merged:
                merged[key] = value
            elif isinstance(earlier, Series) and isinstance(value, Series):
                merged[key] = Series((*earlier, *value))
            else:
                return None
    return Features(sorted(merged.items()))


_ITEM = re.compile(r"(?:(?P<key>\$?[\w.]+)=)?(?P<open>\[)?(?P<sign>-)?(?P<slot>\$)?(?P<value>[^\s\[\]$]+)\]?")


class _Item(NamedTuple):
    """`key=value` of a template; '' as the key merges the features of a slot."""

    key: str
    value: str | int | bool
    is_slot: bool
    is_negative: bool
    is_series: bool

    def evaluate(self, bindings: Bindings) -> Meaning:
        value: Meaning = bindings[str(self.value)] if self.is_slot else self.value
        if self.is_negative:
            value = -value if isinstance(value, int) else None
        return Series((value,)) if self.is_series else value


class Template(NamedTuple):
    """The meaning of a clause with the meanings of its slots left open.

    `when=hit` names a value, `heal=$n` takes that of a slot, `-$n` negates it, `[$n]` makes a series of it, `$stat=$n`
    takes the name from a slot, and a lone `$slot` or value is the meaning itself.
    """

    items: tuple[_Item, ...]

    def evaluate(self, bindings: Bindings) -> Meaning:
        """Return the meaning, or None if parts of it contradict each other."""
        if not self.items:
            return Features()
        if len(self.items) == 1 and not self.items[0].key:
            return self.items[0].evaluate(bindings)
        parts = [self._part(item, bindings) for item in self.items]
        return merge(part for part in parts if part) if None not in parts else None

    @staticmethod
    def _part(item: _Item, bindings: Bindings) -> Features | None:
        value = item.evaluate(bindings)
        if not item.key:
            return value if isinstance(value, Features) else None
        key = str(bindings[item.key[1:]]) if item.key.startswith("$") else item.key
        return None if value is None else Features(((key, value),))

    @property
    def slots(self) -> frozenset[str]:
        """The names of its slots."""
        keys = {item.key[1:] for item in self.items if item.key.startswith("$")}
        return frozenset({*keys, *(str(item.value) for item in self.items if item.is_slot)})

    def match(self, meaning: Meaning) -> dict[str, Meaning] | None:
        """Return the values of the slots that evaluate to a meaning, or None if none do."""
        if len(self.items) == 1 and not self.items[0].key:
            return _match_value(self.items[0], meaning)
        if not isinstance(meaning, Features) or len(meaning) != len(self.items):
            return None
        bindings: dict[str, Meaning] = {}
        for item in self.items:
            if item.key.startswith("$"):
                key, value = meaning[0]
                matched = _match_value(item, value)
                found = None if matched is None else {item.key[1:]: key, **matched}
            else:
                value = meaning.get(item.key)
                found = None if value is None else _match_value(item, value)
            if found is None:
                return None
            bindings |= found
        return bindings


def _match_value(item: _Item, meaning: Meaning) -> dict[str, Meaning] | None:
    if item.is_series:
        if not isinstance(meaning, Series) or len(meaning) != 1:
            return None
        meaning = meaning[0]
    if item.is_negative:
        if not isinstance(meaning, int) or meaning >= 0:
            return None
        meaning = -meaning
    if item.is_slot:
        return {str(item.value): meaning}
    return {} if meaning == item.value and isinstance(meaning, bool) == isinstance(item.value, bool) else None


def parse_template(text: str) -> Template:
    """Parse a template such as 'heal=$n' or 'when=hit'; '~' is a space in a value. Raises ValueError if malformed."""
    items = []
    for word in text.split():
        match = _ITEM.fullmatch(word)
        if match is None:
            raise ValueError(f"'{word}' is not a valid meaning")
        is_slot, sign = bool(match["slot"]), bool(match["sign"])
        value = match["value"] if is_slot else _literal(("-" if sign else "") + match["value"])
        items.append(_Item(match["key"] or "", value, is_slot, is_slot and sign, bool(match["open"])))
    if stray := [str(item.value) for item in items if not (item.key or item.is_slot)] if len(items) > 1 else []:
        raise ValueError(f"'{stray[0]}' in '{text}' has no key; write '~' for a space in a value")
    return Template(tuple(items))


def _literal(word: str) -> str | int | bool:
    if word in ("true", "false"):
        return word == "true"
    return int(word) if re.fullmatch(r"-?\d+", word) else word.replace("~", " ")


# Words that change what a rule says, so that no reading may skip one.

SIGNIFICANT = frozenset(
    (
        *("instead", "only", "also", "too", "again", "not", "never", "no", "non", "none", "cannot", "without"),
        *("one", "other", "others", "another", "any", "each", "every", "all", "both", "either", "neither", "half"),
        *("first", "second", "next", "last", "once", "twice", "single", "double"),
        *("if", "unless", "except", "when", "whenever", "while", "before", "after", "until", "may", "must"),
        *("up", "minimum", "maximum", "min", "max", "least", "most", "additional", "additionally", "extra", "further"),
    )
)


# The table of clauses of a game: a text file with meanings, their canonical forms, and other forms to read.

_SECTION = re.compile(r"\[(?P<name>[\w-]+)\]")
# Clauses of another symbol without the slot that they begin with: '[ellipsis] without part p:who = of=it'.
_WITHOUT = re.compile(
    r"\[(?P<name>[\w-]+)\] without (?P<source>[\w-]+) (?P<slot>\w+):(?P<symbol>\w+) = (?P<key>\w+)=(?P<meaning>.+)"
)
_FORM = re.compile(r"(?:(?P<mark>[=~])|@(?P<style>\w+)) +")
# The starts of comments, and of forms that are only read.
_COMMENT, _ONLY_READ = ("# ",), ("= ", "~ ")
_PIECE = re.compile(
    r"\{(?P<slot>\w+)(?::(?P<symbol>\w+))?(?:@\w+)?\}|(?P<bracket>(?<!\\)[()\[\]|])|(?P<words>(?:\\.|[^{}()\[\]|\\])+)"
)
# The symbol of a few words that change nothing; a form writes them as ' .. '.
GAP = "gap"
# Sections of words, besides those of clauses.
WORDS, PHRASES, FILLERS, JOINTS = "words", "phrases", "fillers", "joints"
# A section of symbols that mean nothing by themselves, each with its forms: 'limb: hand|arm'.
CLASSES = "classes"
_PLAIN = "plain=true"


class Slot(NamedTuple):
    """A place in a form for a clause of a symbol."""

    name: str
    symbol: str


Wording = tuple[str | Slot, ...]


class Form(NamedTuple):
    """A form of a clause: alternative sequences of words and slots.

    A `style` is '' or the name of a variant that is written in its place. `is_loose` marks a form that may mean
    something slightly different, and `is_canonical` one that is written.
    """

    text: str
    sequences: tuple[Wording, ...]
    is_canonical: bool = False
    is_loose: bool = False
    style: str = ""


class Clause(NamedTuple):
    """A meaning and its forms."""

    symbol: str
    meaning: Template
    forms: tuple[Form, ...]

    def canonical(self, style: str) -> Form | None:
        """Return the form that is written in a style, or in none."""
        written = [form for form in self.forms if form.is_canonical]
        return next((form for form in written if form.style == style), next((f for f in written if not f.style), None))


class ClauseTable(NamedTuple):
    """The clauses by symbol, in order, and the sections of words."""

    clauses: dict[str, tuple[Clause, ...]]
    words: dict[str, str]
    fillers: frozenset[str]
    joints: frozenset[str]
    phrases: PhraseBook


def read_table(*paths: Path) -> ClauseTable:
    """Read tables of clauses; later files continue earlier ones.

    Raises ValueError for a malformed line, and for a skipped word that changes what a sentence means.
    """
    clauses: dict[str, list[Clause]] = {}
    words: dict[str, str] = {}
    skipped: dict[str, set[str]] = {FILLERS: set(), JOINTS: set()}
    phrases: list[str] = []
    for path in paths:
        for section, head, forms in _entries(path):
            if section == WORDS:
                lemma, _, others = head.partition(":")
                words |= dict.fromkeys(others.split(), lemma)
            elif section == PHRASES:
                phrases.append(head)
            elif section == CLASSES:
                name, _, form = head.partition(": ")
                clauses.setdefault(name, []).append(Clause(name, parse_template(_PLAIN), (parse_form(f"= {form}"),)))
            elif section in skipped:
                skipped[section] |= _skipped_words(path, section, head)
            else:
                clauses.setdefault(section, []).append(Clause(section, parse_template(head), tuple(forms)))
    for path in paths:
        for match in filter(None, map(_WITHOUT.fullmatch, path.read_text(encoding="utf-8").splitlines())):
            clauses.setdefault(match["name"], []).extend(_without_slot(clauses[match["source"]], match))
    found = {symbol: tuple(each) for symbol, each in clauses.items()}
    book = phrase_book([phrase for line in phrases for phrase in _phrases(line, words)])
    return ClauseTable(found, words, frozenset(skipped[FILLERS]), frozenset(skipped[JOINTS]), book)


def _skipped_words(path: Path, section: str, line: str) -> set[str]:
    words = set(line.split())
    if significant := words & SIGNIFICANT:
        raise ValueError(f"{path.name}: [{section}] contains '{min(significant)}', which changes what a sentence means")
    return words


def _without_slot(clauses: list[Clause], rule: re.Match[str]) -> Iterator[Clause]:
    """Yield the clauses whose forms begin with a slot, without it, and with a fixed meaning in its place."""
    first = Slot(rule["slot"], rule["symbol"])
    for clause in clauses:
        kept = [item for item in clause.meaning.items if not (item.is_slot and item.value == first.name)]
        forms = [
            form._replace(text="", sequences=rests, is_canonical=False, style="")
            for form in clause.forms
            if (rests := tuple(each[1:] for each in form.sequences if each[:1] == (first,) and len(each) > 1))
        ]
        if len(kept) < len(clause.meaning.items) and forms:
            others = parse_template(f"{rule['key']}={rule['meaning']}").items
            yield Clause(rule["name"], Template((*kept, *others)), tuple(forms))


def read_written_clauses(*paths: Path) -> Mapping[str, tuple[Clause, ...]]:
    """Read the clauses of tables with the forms that are written, and without those that are only read.

    Most runs write sentences and read none; the other forms take ten times as long. Raises ValueError as `read_table`.
    """
    clauses: dict[str, list[Clause]] = {}
    for path in paths:
        for section, head, forms in _entries(path, skipped=(*_COMMENT, *_ONLY_READ)):
            if forms:
                clauses.setdefault(section, []).append(Clause(section, parse_template(head), tuple(forms)))
    return {symbol: tuple(each) for symbol, each in clauses.items()}


def _phrases(line: str, words: Mapping[str, str]) -> Iterator[Phrase]:
    """Yield the phrases of a line such as 'when: each time | every time'."""
    meaning, _, others = line.partition(":")
    for text in others.split("|"):
        phrase = Phrase(_words(text, words), _words(meaning, words))
        if not phrase.words:
            raise ValueError(f"'{line}' is not a valid phrase; write 'meaning: phrase | phrase'")
        yield phrase


def _words(text: str, words: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(token.word for token in tokenize(text, words))


def _entries(path: Path, skipped: tuple[str, ...] = _COMMENT) -> Iterator[tuple[str, str, list[Form]]]:
    """Yield the section of each entry, its first line, and its forms; lines with a `skipped` start are left out."""
    section, head, forms = "", "", list[Form]()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        text = line.strip()
        if not text or text.startswith(skipped) or _WITHOUT.fullmatch(line):
            continue
        try:
            if match := _SECTION.fullmatch(line):
                if head:
                    yield section, head, forms
                section, head, forms = match["name"], "", []
            elif section in (WORDS, PHRASES, FILLERS, JOINTS, CLASSES):
                yield section, text, []
            elif line.startswith(":"):
                if head:
                    yield section, head, forms
                head, forms = line[1:].strip() or " ", []
            else:
                forms.append(parse_form(text))
                _require_slots(forms[-1], parse_template(head))
        except ValueError as error:
            raise ValueError(f"{path.name}:{number}: {error}") from error
    if head:
        yield section, head, forms


def _require_slots(form: Form, meaning: Template) -> None:
    slots = meaning.slots
    for sequence in form.sequences if slots else ():
        missing = slots - {element.name for element in sequence if isinstance(element, Slot)}
        if missing:
            raise ValueError(f"the form lacks the slot '{min(missing)}' of its meaning")


def parse_form(text: str) -> Form:
    """Parse a line with a form. Raises ValueError for unbalanced brackets."""
    match = _FORM.match(text)
    body = text[match.end() :] if match else text
    mark, style = (match["mark"], match["style"] or "") if match else (None, "")
    body = re.sub(r"(?<![^\s\[(|])\.\. ", f"{{{GAP}}} ", body)
    pieces = list(_PIECE.finditer(body))
    if "".join(piece[0] for piece in pieces) != body:
        raise ValueError(f"'{body}' is not a valid form")
    sequences, rest = _alternatives(pieces, 0)
    if rest != len(pieces):
        raise ValueError(f"unbalanced bracket in '{body}'")
    written = re.sub(r"\\(.)", r"\1", body)
    return Form(written, tuple(dict.fromkeys(sequences)), mark is None, mark == "~", style)


def _alternatives(pieces: list[re.Match[str]], index: int) -> tuple[list[Wording], int]:
    """Return the sequences up to a closing bracket, and the index of that bracket."""
    options: list[Wording] = []
    factors: list[list[Wording]] = []
    while index < len(pieces) and pieces[index]["bracket"] not in (")", "]"):
        piece = pieces[index]
        if piece["bracket"] == "|":
            options += _sequences(factors)
            factors = []
        elif piece["bracket"]:
            inner, index = _alternatives(pieces, index + 1)
            if index == len(pieces) or pieces[index]["bracket"] != {"(": ")", "[": "]"}[piece["bracket"]]:
                raise ValueError("unbalanced bracket")
            factors.append([*inner, ()] if piece["bracket"] == "[" else inner)
        elif piece["slot"]:
            factors.append([(Slot(piece["slot"], piece["symbol"] or piece["slot"]),)])
        else:
            factors.append([(re.sub(r"\\(.)", r"\1", piece["words"]),)])
        index += 1
    return [*options, *_sequences(factors)], index


def _sequences(factors: Iterable[Sequence[Wording]]) -> list[Wording]:
    """Return the sequences of one part of each factor, with words next to each other joined: 'Wound' and 's'."""
    sequences: list[Wording] = [()]
    for parts in factors:
        sequences = [_join(before, part) for before in sequences for part in parts]
    return sequences


def _join(before: Wording, part: Wording) -> Wording:
    if before and part and isinstance(before[-1], str) and isinstance(part[0], str):
        return (*before[:-1], before[-1] + part[0], *part[1:])
    return before + part
