"""What a text says of its card is compared with the keys of the card."""

from __future__ import annotations

from cardgen.checking.contradictions import contradictions, mismatches
from cardgen.grammar.claims import Claim
from cardgen.grammar.clauses import Features


def messages(values: dict[str, object], **said: str | int | bool) -> list[str]:
    return [each.message for each in contradictions(values, [Claim(Features.of(**said), 3, 9)], ("text",))]


def test_equal_values_do_not_contradict_each_other() -> None:
    assert messages({"bonus": 2, "shield": True, "rules": ["thrown"]}, bonus=2, shield=True, rules="thrown") == []


def test_another_value_is_found_and_named() -> None:
    assert messages({"bonus": 1}, bonus=2) == ["the text says 'bonus: 2', and the card says 1"]
    assert messages({"unstable": False}, unstable=True) == ["the text says 'unstable: true', and the card says false"]


def test_a_list_must_contain_what_the_text_says() -> None:
    assert messages({"rules": ()}, rules="thrown") == ["the text says 'rules: thrown', and the card does not"]


def test_what_no_key_is_about_contradicts_nothing() -> None:
    assert messages({"bonus": 1}, plain=True) == []


def test_a_derived_value_has_a_message_of_its_own() -> None:
    claims = [Claim(Features.of(armor_save=4), 0, 4)]
    [finding] = contradictions(
        {"armor_save": 5}, claims, ("text",), {"armor_save": "its armor makes a save of {value}"}
    )
    assert finding.message == "its armor makes a save of 5"


def test_a_clause_has_one_finding_at_its_words() -> None:
    [finding] = contradictions({"a": 1, "b": 1}, [Claim(Features.of(a=2, b=2), 3, 9)], ("special", "Quick"))
    assert (finding.route, finding.text_range) == (("special", "Quick"), (3, 9))


def named(*said: str) -> list[Claim]:
    return [Claim(Features.of(range=each), place, place + 1) for place, each in enumerate(said)]


def test_a_text_that_never_names_the_right_value_names_another_one() -> None:
    [finding] = mismatches(named("medium"), ("focus",), {"range": ("short",)}, {"range": "{} range"}, where="effects")
    assert (finding.message, finding.help) == (
        "the text says medium range, and 'effects' says short range",
        "change the text, or 'effects'",
    )


def test_a_text_that_also_names_the_right_value_is_right() -> None:
    assert not list(mismatches(named("medium", "short"), ("focus",), {"range": ("short",)}))
    assert not list(mismatches(named("medium"), ("focus",), {"range": ()}))


def test_a_condition_names_a_value_and_states_none() -> None:
    assert not list(mismatches(named("medium"), ("focus",), {"range": ("short",)}, stated=[]))
