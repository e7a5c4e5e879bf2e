"""What a text says of its own card, against the keys of that card."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from cardgen.checking.check import Finding, Findings
from cardgen.grammar.claims import Claim
from cardgen.source import KeyPath

_NOTHING: Mapping[str, str] = MappingProxyType({})


def contradictions(
    values: Mapping[str, Any],
    claims: Iterable[Claim],
    route: KeyPath,
    derived: Mapping[str, str] = _NOTHING,
    model: type[BaseModel] | None = None,
) -> Findings:
    """Yield, at their words, the claims of a text that the values of the card's keys contradict, one for each clause.

    `route` leads to the text. A list contradicts what it does not contain. Claims about no key are left out. `derived`
    are messages for values that no key says by itself; '{value}' stands for the value. A value that `model` does not
    take is not advised.
    """
    for claim in claims:
        for key, said in claim.meaning:
            value = values.get(key)
            is_list = isinstance(value, list | tuple)
            if key not in values or _plain(said) in map(_plain, value if isinstance(value, list | tuple) else (value,)):
                continue
            if key in derived:
                message, advice = derived[key].format(value=value), "change the text, or the card"
            else:
                does = "does not" if is_list or value is None else f"says {_plain(value)}"
                message = f"the text says '{key}: {_plain(said)}', and the card {does}"
                is_possible = model is None or takes(model, key, (said,) if is_list else said)
                advice = _advice(key, said, value if is_list else None) if is_possible else "change the text"
            yield Finding(message, route, advice, text_range=(claim.start, claim.end))
            break


def mismatches(
    claims: Iterable[Claim],
    route: KeyPath,
    values: Mapping[str, Any],
    names: Mapping[str, str] = _NOTHING,
    stated: Sequence[Claim] | None = None,
    where: str = "",
) -> Findings:
    """Yield the first place at which a text names something else than each value, unless it names that, too.

    Several right values are a tuple. The text contradicts 'either' only if it always names the same. `names` are what
    messages call a key, with '{}' for its value, or before it. What is found is `stated` if that is given, and `where`
    is the key of the data.
    """
    claims = list(claims)
    for key, value in values.items():
        named = [(dict(each.meaning)[key], each.start, each.end) for each in claims if key in dict(each.meaning)]
        places = {each.start for each in (claims if stated is None else stated)}
        others = [each for each in named if each[1] in places]
        right = value if isinstance(value, tuple) else (value,)
        if value in (None, ()) or not others or any(said in right for said, _, _ in named):
            continue
        if value == "either" and len({said for said, _, _ in others}) > 1:
            continue
        said, start, end = others[0]
        name = names.get(key, key)
        is_form = "{" in name
        told = name.format(said) if is_form else f"{name} {said}"
        others_say = " and ".join(name.format(each) if is_form else str(each) for each in right)
        message = f"the text says {told}, and {f'{where!r} says' if where else 'the data say'} {others_say}"
        advice = f"change the text, or {where!r}" if where else "change one of them"
        yield Finding(message, route, advice, text_range=(start, end))


def takes(model: type[BaseModel], key: str, value: object) -> bool:
    """Return whether a card, or a part of one, can have a value at a key."""
    field = model.model_fields.get(key)
    if field is None:
        return False
    annotated: Any = Annotated[field.annotation, field]
    try:
        TypeAdapter(annotated).validate_python(value)
    except ValidationError:
        return False
    return True


def _advice(key: str, said: object, items: Sequence[object] | None) -> str:
    """Return what to write for a card that is what its text says; `items` are those of a list."""
    if items:
        return f"add '{_plain(said)}' to '{key}', or change the text"
    return f"write '{key}: {_plain(said) if items is None else f'[{_plain(said)}]'}', or change the text"


def _plain(value: object) -> str:
    """Return a value as a card file writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
