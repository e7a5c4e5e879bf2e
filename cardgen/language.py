"""Languages: their tags (BCP 47), scripts, directions, capitals, and dictionaries of hyphenation.

A tag here is canonical: 'de', 'pt-BR', 'zh-Hant'. '' stands for a language that nobody has named.
"""

import re
import unicodedata
from pathlib import Path

# Language, script, region, and up to two variants, in a pattern that JSON Schema can have.
TAG_PATTERN = (
    "^([A-Za-z]{2,3})(?:[-_]([A-Za-z]{4}))?(?:[-_]([A-Za-z]{2}|[0-9]{3}))?"
    "((?:[-_](?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3})){0,2})$"
)
_TAG = re.compile(TAG_PATTERN)
# Codes of countries that are written in place of their languages, and no language has.
_COUNTRIES = {"jp": "ja", "cz": "cs", "gr": "el", "dk": "da", "ua": "uk", "cn": "zh-Hans"}
# Languages have folders and files of their names.
_DEVICES = frozenset(("aux", "con", "nul", "prn"))
_NAMES = """
    english:en german:de deutsch:de french:fr français:fr spanish:es español:es polish:pl polski:pl japanese:ja
    italian:it italiano:it portuguese:pt português:pt chinese:zh-Hans russian:ru korean:ko turkish:tr arabic:ar
    hebrew:he dutch:nl nederlands:nl greek:el thai:th hindi:hi czech:cs swedish:sv ukrainian:uk vietnamese:vi
"""


def parse_language(text: str) -> str:
    """Return a language's tag in its canonical spelling: 'pt-BR' for 'pt_br', and 'ja' for 'jp'.

    Raises ValueError with a message for the user if it is not a tag.
    """
    found = _TAG.fullmatch(text)
    if found is None:
        name = dict(pair.split(":") for pair in _NAMES.split()).get(text.strip().casefold())
        advice = f"; did you mean '{name}'?" if name else ", such as de, fr, or pt-BR"
        raise ValueError(f"'{text}' is not a language tag{advice}")
    language, script, region, variants = found.groups()
    parts = (language.lower(), (script or "").capitalize(), (region or "").upper())
    tag = "-".join(filter(None, parts)) + variants.replace("_", "-").lower()
    if tag in _DEVICES:
        raise ValueError(f"'{tag}' is the name of a device on Windows; write '{tag}-Latn'")
    return _COUNTRIES.get(tag, tag)


def is_language(text: str) -> bool:
    """Return whether a text is a language tag."""
    return bool(_TAG.fullmatch(text))


def base_language(tag: str) -> str:
    """Return the language of a tag without script and region: 'pt' for 'pt-BR'."""
    return tag.partition("-")[0]


def tag_and_fallbacks(tag: str) -> tuple[str, ...]:
    """Return a tag and those whose texts can stand in for it, the nearest first: 'de-AT', 'de'.

    Chinese in traditional characters is never replaced by simplified ones, nor the reverse.
    """
    parts = tag.split("-")
    tags = ["-".join(parts[:length]) for length in range(len(parts), 0, -1)]
    written, usual = f"{parts[0]}-{script_of(tag)}", script_of(parts[0])
    if written not in tags and parts[0] == "zh":
        tags.insert(1, written)
    return tuple(dict.fromkeys(each for each in tags if script_of(each) == script_of(tag) or script_of(tag) == usual))


def beside(path: Path, tag: str) -> Path:
    """Return the file that has the words of a file in a language, beside it: 'glossary.de.txt' for 'glossary.txt'.

    That is the file itself if there is none, nor one in a language that can stand in for it.
    """
    files = (path.with_name(f"{path.stem}.{each}{path.suffix}") for each in tag_and_fallbacks(tag) if each)
    return next((each for each in files if each.is_file()), path)


def is_pseudo(tag: str) -> bool:
    """Return whether a language is one that shows what translations will do.

    'en-XA' is accented and longer, and 'ar-XB' runs from right to left.
    """
    return tag.endswith(("-XA", "-XB"))


_ACCENTED = str.maketrans("AaCcDdEeGgHhIiJjKkLlNnOoRrSsTtUuWwYyZz", "ÁáÇçĎďÉéĞğĤĥÍíĴĵĶķĻļÑñÖöŔŕŠšŢţÛûŴŵÝýŽž")
_PSEUDO_PARTS = re.compile(r"\{[^{}]*\}|\\.|\w+|.", re.DOTALL)
# Names grow more than sentences do. Source: IBM's table of text expansion.
_SHORT, _NAME_GROWTH, _TEXT_GROWTH = 25, 0.6, 0.4


# Override the direction of letters, and end that.
_REVERSED, _END = "\u202e", "\u202c"


def pseudo_translation(text: str, tag: str = "en-XA") -> str:
    """Return a text in a language that shows what translations will do; marks, numbers, and icons stay.

    Texts have accents, and are as much longer as translations from English become, or have words from right to left.
    """
    if is_right_to_left(tag):
        found = _PSEUDO_PARTS.findall(text)
        return "".join(f"{_REVERSED}{part}{_END}" if part[0].isalpha() else part for part in found)
    growth, owed, parts = _NAME_GROWTH if len(text) <= _SHORT else _TEXT_GROWTH, 0.0, list[str]()
    for part in _PSEUDO_PARTS.findall(text):
        if not part[0].isalpha():
            parts.append(part)
            owed += growth * (len(part) if not part.startswith("{") else 0)
            continue
        for letter in part:
            owed += growth
            copies = int(owed) if letter in "aeiouyAEIOUY" else 0
            owed -= copies
            parts.append(letter.translate(_ACCENTED) + letter.lower().translate(_ACCENTED) * copies)
    return "".join(parts)


# Languages that write 1,5 instead of 1.5, and their regions that do not.
_DECIMAL_COMMA = frozenset(
    """
    az be bg bs ca cs da de el es et eu fi fr gl hr hu id is it kk lt lv mk nb nl nn no pl pt ro ru sk sl sq sr sv tr uk
    vi
    """.split()  # noqa: SIM905 - as a list, it would take a line for each
)
_DECIMAL_POINT = frozenset({"de-CH", "de-LI", "es-MX", "es-US", "it-CH"})


def number_text(value: float, tag: str) -> str:
    """Return a number as a language writes it: '1,5' in German, '1.5' in English, and '2' for 2.0 in both."""
    return with_decimal_sign(str(value) if isinstance(value, int) else f"{value:.15g}", tag)


def with_decimal_sign(text: str, tag: str) -> str:
    """Return the text of a number with the decimal sign of a language in place of the point."""
    has_comma = base_language(tag) in _DECIMAL_COMMA and tag not in _DECIMAL_POINT
    return text.replace(".", ",") if has_comma else text


# The usual script of languages that are not written in Latin letters.
_WRITTEN = """
    Arab:ar,fa,ur,ps,ckb,sd,ug Hebr:he,yi Cyrl:be,bg,kk,ky,mk,mn,ru,sr,tg,uk Deva:hi,mr,ne,sa Grek:el Armn:hy Geor:ka
    Thai:th Laoo:lo Khmr:km Mymr:my Ethi:am Beng:bn Guru:pa Gujr:gu Orya:or Taml:ta Telu:te Knda:kn Mlym:ml Sinh:si
    Jpan:ja Kore:ko Hans:zh Hant:zh-TW,zh-HK,zh-MO,yue Thaa:dv Syrc:syr
"""
_SCRIPTS = {
    language: script
    for script, languages in (row.split(":") for row in _WRITTEN.split())
    for language in languages.split(",")
}
_RIGHT_TO_LEFT = frozenset(("Arab", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm"))


def script_of(tag: str) -> str:
    """Return the script that a language is written in, as its ISO 15924 code; 'Latn' if it is not known."""
    named = next((part for part in tag.split("-")[1:] if len(part) == 4 and part.isalpha()), "")
    return named or _SCRIPTS.get(tag) or _SCRIPTS.get(base_language(tag), "Latn")


def is_right_to_left(tag: str) -> bool:
    """Return whether a language is written from right to left."""
    return script_of(tag) in _RIGHT_TO_LEFT


# The languages of pyphen, without Thai, whose words are divided without hyphens.
_HYPHENATED = """
    af as be bg ca cs da de el en eo es et eu fr gl hr hu id is it kn lt lv mn mr nb nl nn or pa pl pt ro ru sa sk sl sq
    sr sv te uk zu
"""


def hyphenation_dictionary(tag: str) -> str | None:
    """Return the name of the dictionary that hyphenates a language, as in pyphen; None if there is none for it."""
    language, *parts = tag.split("-")
    if language == "en":
        return "en_US" if "US" in parts else "en_GB"
    language = "nb" if language == "no" else language
    return "_".join((language, *parts[:1])) if language in _HYPHENATED.split() else None


def plural_form(tag: str, number: float) -> int:
    """Return the index of the form of a noun after a number, among those of its language: 'one, few, many' in Polish.

    Source: the plural rules of CLDR, for cardinal numbers.
    """
    language, last = base_language(tag), number % 10
    if language in ("ja", "zh", "ko", "th", "vi", "id"):
        return 0
    if language in ("fr", "pt"):
        return int(number >= 2)
    is_few = last in (2, 3, 4) and number % 100 not in (12, 13, 14)
    if language == "pl":
        return 0 if number == 1 else 1 if is_few else 2
    if language in ("ru", "uk", "be", "sr", "hr", "bs"):
        return 0 if last == 1 and number % 100 != 11 else 1 if is_few else 2
    if language in ("cs", "sk"):
        return 0 if number == 1 else 1 if number in (2, 3, 4) else 2
    return int(number != 1)


_GREEK_ACCENTS = re.compile("[\u0300\u0301\u0342\u0313\u0314]")
# An accent on the first vowel says that the second is not part of a diphthong, which a dialytika says in its place.
_GREEK_HIATUS = re.compile("([αεηιουω])\u0301([ιυ])(?![\u0301\u0308])")
_GREEK_OR = re.compile(r"\bή\b")


def upper(text: str, tag: str = "") -> str:
    """Return a text in capitals, which may have another length, as its language writes them."""
    language = base_language(tag)
    if language in ("tr", "az"):
        return text.replace("i", "İ").upper()
    if language == "el":
        kept = _GREEK_OR.sub("Ή", unicodedata.normalize("NFC", text)).split("Ή")
        return "Ή".join(unicodedata.normalize("NFC", _greek_without_accents(part).upper()) for part in kept)
    return text.upper()


def _greek_without_accents(text: str) -> str:
    decomposed = _GREEK_HIATUS.sub("\\1\\2\u0308", unicodedata.normalize("NFD", text))
    return _GREEK_ACCENTS.sub("", decomposed)


def capitalize_first(text: str, tag: str = "") -> str:
    """Return a text whose first letter is a capital; the others stay as they are."""
    if base_language(tag) == "nl" and text[:2] == "ij":
        return f"IJ{text[2:]}"
    first = text[:1]
    return (upper(first, tag) if base_language(tag) != "el" else first.upper()) + text[1:]


# What spreadsheets show for true and false in languages of Europe, their words for yes and no, and marks.
_TRUE = """
    true yes y x 1 ✓ ✔ ☑ ✅ wahr ja vrai oui verdadero sí si vero verdadeiro sim prawda tak waar sann sant sand tosi
    kyllä pravda ano áno igaz igen adevărat da doğru evet истина да правда так αληθής ναι
"""
_FALSE = """
    false no n 0 ✗ ✘ ☐ ❌ falsch nein faux non falso não fałsz nie onwaar nee usann falskt falsk nej nei epätosi ei
    nepravda ne hamis nem fals nu yanlış hayır ложь нет ложно хибність ні ψευδής όχι
"""


def folded(text: str) -> str:
    """Return a text without the differences that people do not see or mean: case, and the forms of accents."""
    return unicodedata.normalize("NFKC", text.casefold()).casefold()


_FLAGS = {**dict.fromkeys(map(folded, _TRUE.split()), True), **dict.fromkeys(map(folded, _FALSE.split()), False)}


def as_flag(text: str) -> bool | None:
    """Return what a word or mark means in a column of yes and no, or None if it means neither."""
    return _FLAGS.get(folded(text))


# The first byte of a character in UTF-8, and the others, as Windows-1252 shows them.
_FIRST = "".join(bytes([byte]).decode("cp1252") for byte in range(0xC2, 0xF5))
_OTHERS = bytes(byte for byte in range(0x80, 0xC0) if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)).decode("cp1252")
MISREAD = re.compile(f"[{_FIRST}][{re.escape(_OTHERS)}\x81\x8d\x8f\x90\x9d]+")


def as_utf8(text: str) -> str:
    """Return a text whose UTF-8 was read as Latin-1 or Windows-1252 as it was meant, or '' if it was read right."""
    if text.isascii() or not MISREAD.search(text):
        return ""
    try:
        return MISREAD.sub(lambda part: _to_bytes(part[0]).decode("utf-8"), text)
    except (UnicodeDecodeError, UnicodeEncodeError):
        return ""


def _to_bytes(text: str) -> bytes:
    return b"".join(bytes([ord(char)]) if ord(char) < 0x100 else char.encode("cp1252") for char in text)
