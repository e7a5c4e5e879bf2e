"""Tags of languages, and what depends on them."""

from __future__ import annotations

import pyphen
import pytest

from cardgen.language import (
    capitalize_first,
    hyphenation_dictionary,
    is_pseudo,
    is_right_to_left,
    number_text,
    parse_language,
    pseudo_translation,
    script_of,
    tag_and_fallbacks,
    upper,
)
from tests.cases import each_case


@each_case(
    "written, tag",
    [
        ("de", "de"),
        ("pt_br", "pt-BR"),
        ("ZH-hant-tw", "zh-Hant-TW"),
        ("es-419", "es-419"),
        ("en-gb", "en-GB"),
        ("jp", "ja"),
    ],
)
def test_a_tag_has_one_spelling(written: str, tag: str) -> None:
    assert parse_language(written) == tag


@each_case(
    "written, message",
    [
        ("German", "did you mean 'de'"),
        ("Deutsch ", "mean 'de'"),
        ("", "such as de"),
        ("de/fr", "not a"),
        ("x", "not"),
        ("CON", "'con' is the name of a device on Windows; write 'con-Latn'"),
    ],
)
def test_what_is_no_tag_is_said(written: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_language(written)


@each_case(
    "tag, tags",
    [
        ("de", ("de",)),
        ("de-AT", ("de-AT", "de")),
        ("zh", ("zh", "zh-Hans")),
        ("zh-CN", ("zh-CN", "zh-Hans", "zh")),
        ("zh-TW", ("zh-TW", "zh-Hant")),
        ("zh-Hant-HK", ("zh-Hant-HK", "zh-Hant")),
        ("sr-Latn-RS", ("sr-Latn-RS", "sr-Latn")),
    ],
)
def test_a_region_falls_back_to_its_language_but_a_script_to_no_other(tag: str, tags: tuple[str, ...]) -> None:
    assert tag_and_fallbacks(tag) == tags


@each_case(
    "tag, script, is_rtl",
    [
        ("de", "Latn", False),
        ("zh-TW", "Hant", False),
        ("sr-Latn", "Latn", False),
        ("ar-EG", "Arab", True),
        ("az-Arab", "Arab", True),
        ("ja", "Jpan", False),
    ],
)
def test_the_script_says_the_direction(tag: str, script: str, is_rtl: bool) -> None:
    assert (script_of(tag), is_right_to_left(tag)) == (script, is_rtl)


@each_case(
    "text, tag, capitals",
    [
        ("iyileşir, ılık", "tr", "İYİLEŞİR, ILIK"),
        ("istanbul", "", "ISTANBUL"),
        ("αντίπαλος", "el", "ΑΝΤΙΠΑΛΟΣ"),
        ("Μάιος ή προϊόν", "el", "ΜΑΪΟΣ Ή ΠΡΟΪΟΝ"),
        ("Große", "de", "GROSSE"),
    ],
)
def test_capitals_are_those_of_the_language(text: str, tag: str, capitals: str) -> None:
    assert upper(text, tag) == capitals


@each_case("text, tag, first", [("iyi", "tr", "İyi"), ("ijs", "nl", "IJs"), ("άλφα", "el", "Άλφα"), ("", "", "")])
def test_a_first_letter_is_one_of_the_language(text: str, tag: str, first: str) -> None:
    assert capitalize_first(text, tag) == first


def test_every_language_of_pyphen_has_its_dictionary_and_no_other_has_one() -> None:
    names = {name.partition("_")[0] for name in pyphen.LANGUAGES}
    tags = {*names, "tr", "fi", "vi", "hi", "th", "zh", "ja", "no"}
    found = {tag for tag in tags if hyphenation_dictionary(tag)}
    assert found == {*names, "no"} - {"th"}
    assert all(pyphen.language_fallback(str(hyphenation_dictionary(tag))) for tag in found)
    assert hyphenation_dictionary("en") == hyphenation_dictionary("en-AU") == "en_GB"
    assert hyphenation_dictionary("en-US") == "en_US"


def test_a_pseudo_translation_is_longer_and_keeps_marks() -> None:
    text = "Deal **2 wounds** {heart} to [one enemy]{.red} within 15 cm, and then draw a card."
    longer = pseudo_translation(text)
    assert all(mark in longer for mark in ("**2", "{heart}", "{.red}", "15"))
    assert 1.3 < len(longer) / len(text) < 1.5
    assert len(pseudo_translation("Ash Walker")) == 15
    assert longer.isascii() is False


def test_a_pseudo_translation_from_right_to_left_turns_words_but_no_marks_and_numbers() -> None:
    assert is_pseudo("ar-XB") and is_right_to_left("ar-XB")
    turned = pseudo_translation("Deal **2 wounds** {heart}.", "ar-XB")
    assert turned == "\u202eDeal\u202c **2 \u202ewounds\u202c** {heart}."


def test_numbers_have_the_decimal_sign_of_the_language() -> None:
    numbers = {(1.5, "de"): "1,5", (1.5, "de-CH"): "1.5", (1.5, "en"): "1.5", (1.5, ""): "1.5", (2.0, "pl"): "2"}
    assert {each: number_text(*each) for each in numbers} == numbers
