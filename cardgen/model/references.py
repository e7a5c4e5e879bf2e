"""References between cards: find them, resolve them, report broken ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple, TypeAlias

from cardgen.diagnostic import Code, Diagnostic, Place
from cardgen.model.card_file import RejectedCard
from cardgen.model.entry import Entry
from cardgen.source import KeyPath
from cardgen.validation.base import Model, ModelClasses, annotation_parts, child_models, reachable_models
from cardgen.validation.suggestion import MAX_SUGGESTIONS, did_you_mean, join_words


class Reference(NamedTuple):
    """Annotation of a text field that names a card of one kind, or of one of several kinds.

    The field holds the card's id or name: `Annotated[str, Reference("character")]`.
    """

    kind: str
    other_kinds: tuple[str, ...] = ()


class Link(NamedTuple):
    """Value at `key_path` that names a card by id or name.

    The card can also be of one of `other_kinds`; links are nevertheless known by their `kind`.
    """

    key_path: KeyPath
    kind: str
    name: str
    other_kinds: tuple[str, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """All kinds that the card can have."""
        return (self.kind, *self.other_kinds)


class _ReferenceField(NamedTuple):
    attribute: str
    key: str
    reference: Reference | None


def find_links(model: Model) -> Iterator[Link]:
    """Yield the references of a card or part, in key order."""
    for field in _reference_fields(type(model)):
        yield from _links_within(getattr(model, field.attribute), field.reference, (field.key,))


def _links_within(value: object, reference: Reference | None, key_path: KeyPath) -> Iterator[Link]:
    if isinstance(value, Model):
        for link in find_links(value):
            yield link._replace(key_path=(*key_path, *link.key_path))
    elif isinstance(value, tuple | list):
        for index, item in enumerate(value):
            yield from _links_within(item, reference, (*key_path, index))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _links_within(item, reference, (*key_path, key))
    elif isinstance(value, str) and reference:
        yield Link(key_path, reference.kind, value, reference.other_kinds)


@cache
def reference_keys(model: type[Model]) -> Mapping[str, str]:
    """Return the keys of a model that name cards, with the kind of these cards."""
    return {field.key: field.reference.kind for field, _ in _fields(model) if field.reference}


@cache
def linked_kinds(model: type[Model]) -> tuple[str, ...]:
    """Return the kinds of the cards that cards of a model can name, in the order of its keys."""
    below = (each for lower in _models_below((model,)) for each, _ in _fields(lower))
    references = (field.reference for field in below if field.reference)
    return tuple(dict.fromkeys(kind for each in references for kind in (each.kind, *each.other_kinds)))


@cache
def _reference_fields(model: type[Model]) -> tuple[_ReferenceField, ...]:
    """Return fields that are references or contain models with references."""
    return tuple(
        field for field, lower in _fields(model) if field.reference or any(map(_has_references, _models_below(lower)))
    )


def _has_references(model: type[Model]) -> bool:
    return any(field.reference for field, _ in _fields(model))


def _models_below(models: ModelClasses) -> Iterator[type[Model]]:
    return (model for _, model in reachable_models(models))


@cache
def _fields(model: type[Model]) -> tuple[tuple[_ReferenceField, ModelClasses], ...]:
    """Return the fields of a model, each with the models below it."""
    fields = []
    for attribute, info in model.model_fields.items():
        parts = (*info.metadata, *annotation_parts(info.annotation))
        reference = next((part for part in parts if isinstance(part, Reference)), None)
        key = info.alias or attribute
        fields.append((_ReferenceField(attribute, key, reference), child_models((model,), key)))
    return tuple(fields)


# Cards by game, kind, and id or name.
CardIndex: TypeAlias = Mapping[tuple[str, str, str], tuple[Entry, ...]]


def build_index(entries: Iterable[Entry]) -> CardIndex:
    """Index the cards by game, kind, and id or name."""
    card_index: dict[tuple[str, str, str], tuple[Entry, ...]] = {}
    for entry in entries:
        for name in dict.fromkeys((entry.card.id, entry.card.name)):
            key = (entry.game, entry.kind, name)
            card_index[key] = (*card_index.get(key, ()), entry)
    return card_index


def find_matches(card_index: CardIndex, game: str, kind: str, name: str) -> tuple[Entry, ...]:
    """Return the cards with that id, or else with that name."""
    matches = card_index.get((game, kind, name), ())
    return tuple(entry for entry in matches if entry.card.id == name) or matches


def _link_matches(card_index: CardIndex, game: str, link: Link) -> tuple[Entry, ...]:
    """Return the cards that a link can mean."""
    return tuple(entry for kind in link.kinds for entry in find_matches(card_index, game, kind, link.name))


def report_duplicate_ids(entries: Iterable[Entry]) -> Iterator[Diagnostic]:
    """Yield a diagnostic for every repeated id within a game."""
    first: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        other = first.setdefault((entry.game, entry.card.id), entry)
        if other is not entry:
            message = f"duplicate id '{entry.card.id}'"
            related = ((_id_place(other), "first defined here"),)
            yield Diagnostic(
                Code.DUPLICATE_ID, message, _id_place(entry), "give one of the cards a different 'id'", related=related
            )


def resolve_links(entries: Iterable[Entry], card_index: CardIndex) -> Iterator[Entry]:
    """Yield the cards, each with the cards that it references."""
    for entry in entries:
        targets = {
            (link.kind, link.name): _link_matches(card_index, entry.game, link) for link in find_links(entry.card)
        }
        yield replace(entry, links={key: cards[0] for key, cards in targets.items() if cards}) if targets else entry


def missing_links(entry: Entry) -> tuple[Link, ...]:
    """Return the references of a card that name no card, after they were resolved; such a card cannot be drawn."""
    return tuple(link for link in find_links(entry.card) if (link.kind, link.name) not in entry.links)


def unresolved_links(entries: Iterable[Entry], card_index: CardIndex) -> list[tuple[Entry, Link]]:
    """Return the references that do not match exactly one card."""
    return [
        (entry, link)
        for entry in entries
        for link in find_links(entry.card)
        if len(_link_matches(card_index, entry.game, link)) != 1
    ]


def report_broken_links(
    links: Iterable[tuple[Entry, Link]], card_index: CardIndex, rejected: Sequence[RejectedCard]
) -> Iterator[Diagnostic]:
    """Yield a diagnostic for every broken reference.

    References to rejected cards are skipped, because those cards have diagnostics of their own.
    """
    for entry, link in links:
        matches = _link_matches(card_index, entry.game, link)
        if matches:
            yield _ambiguous_reference(entry, link, matches)
        elif not any(_may_refer_to(link, entry.game, card) for card in rejected):
            yield _unknown_reference(entry, link, card_index)


def _ambiguous_reference(entry: Entry, link: Link, matches: Sequence[Entry]) -> Diagnostic:
    message = f"ambiguous reference '{link.name}': {len(matches)} cards have this name"
    related = tuple((_id_place(match), f"this card has the id '{match.card.id}'") for match in matches)
    return Diagnostic(
        Code.AMBIGUOUS_REFERENCE, message, entry.place(link.key_path), "use an id instead", related=related
    )


def _unknown_reference(entry: Entry, link: Link, card_index: CardIndex) -> Diagnostic:
    names_of_kind = {
        name: cards for (game, kind, name), cards in card_index.items() if game == entry.game and kind in link.kinds
    }
    what = join_words(link.kinds)
    message = f"unknown {what} '{link.name}'{did_you_mean(link.name, names_of_kind)}"
    other_kinds = [kind for game, kind, name in card_index if game == entry.game and name == link.name]
    examples = sorted({card.card.name for cards in names_of_kind.values() for card in cards})[:MAX_SUGGESTIONS]
    such_as = f", such as {join_words(examples)}" if examples else ""
    help_text = (
        f"'{link.name}' is a card of kind '{other_kinds[0]}'"
        if other_kinds
        else f"write the id or name of an existing {what}{such_as}"
    )
    return Diagnostic(Code.UNKNOWN_REFERENCE, message, entry.place(link.key_path), help_text)


def _may_refer_to(link: Link, game: str, card: RejectedCard) -> bool:
    return card.game == game and card.kind in ("", *link.kinds) and link.name in card.names


def _id_place(entry: Entry) -> Place:
    """Return the place of the id, or of the name behind it."""
    return entry.place(("id",) if entry.source_map.has_key("id") else ("name",))
