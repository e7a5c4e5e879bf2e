"""The page of a collection: its cards with both sides, and a view of what they add up to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Annotated, NamedTuple

from pydantic import Field as Key

from cardgen.balance.arena import ComputeOptions
from cardgen.deck.release_file import CardKey, Release
from cardgen.export import web_page
from cardgen.face.face import Face
from cardgen.model.card_values import COST_KEYS
from cardgen.model.left_out import StandIn
from cardgen.print.render import RenderedCard
from cardgen.releases.changes import Change, Changes
from cardgen.releases.report import TITLES, look_and_copies, value_texts
from cardgen.releases.selection import card_key, changes_since, whole_release
from cardgen.target.job import CutFormat, ExportJob, Outcome, is_paper_piece, is_roster
from cardgen.target.profile import ServiceProfile
from cardgen.target.tabletops.deck_sheets import KindNames
from cardgen.target.web import collection, pictures
from cardgen.target.web.fields import (
    CHANGE,
    COST,
    GAME,
    KIND,
    NUMBER,
    Fact,
    Field,
    column,
    facts_of,
    fields_of,
    number_in,
    value_text,
)
from cardgen.target.web.pictures import Picture, Pictures
from cardgen.text.lines import Fit, Phrase, parse_markup, to_plain_text
from cardgen.units import Shape, Size, quantity
from cardgen.validation.base import Int, Text

PAGE = "index.html"
# Radius of rounded corners, and the width of a card that fills its place, in millimeters; the least share of a place
# that a smaller piece fills, in percent; and how much wider than high a piece is that has two places.
_CORNERS, _USUAL_WIDTH, _NARROWEST, _WIDE = 3.0, 63.0, 40.0, 1.2
# Pieces up to this size are printed at their true size; it is that of A4 and Letter within margins, in millimeters.
_PRINTABLE = Size(194.0, 263.0)
_SHORT, _LONGEST_CHANGE = 40, 400
_UNCHANGED = "Unchanged"


class WebProfile(ServiceProfile):
    """The page: `most_bytes` is the size above which its pictures are files, and `language` that of the cards.

    `longest_side` is that of pictures in pixels, so that telephones can show large mats.
    """

    dpi: Annotated[Int, Key(ge=36, le=1200)] = 200
    longest_side: Annotated[Int, Key(ge=64, le=16_383)] = 1600
    most_bytes: Annotated[Int, Key(ge=0)] = 20_000_000
    language: Annotated[Text, Key(pattern=r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$", max_length=35)] | None = None


Profile = WebProfile


class ShownChange(NamedTuple):
    """How a card changed since a release: words for its badge, values before and after, and other lines."""

    title: str
    values: tuple[tuple[str, str, str], ...]
    lines: tuple[str, ...]


class ShownSide(NamedTuple):
    """A side of a card: its picture, and what is printed on it, in paragraphs."""

    name: str
    picture: Picture
    texts: tuple[str, ...]


class ShownCard(NamedTuple):
    """A card on the page; `anchor` is its address, and `size` the class of its size."""

    anchor: str
    name: str
    subtitle: str
    size: str
    sides: tuple[ShownSide, ...]
    facts: tuple[tuple[str, str], ...]
    change: ShownChange | None


def export(job: ExportJob[WebProfile]) -> Outcome:
    """Write the page, with its pictures inside or, if they are too large, as files beside it."""
    # Each card once, although several documents of a pack can have it; pieces without rules come last.
    distinct = {card_key(card): card for card in job.cards}.values()
    cards = sorted(distinct, key=lambda card: (not card.entry.card.HAS_RULES, is_roster(card), is_paper_piece(card)))
    page = _Page(job, cards)
    parts = page.collection()
    drawn = pictures.draw(job, page.cards, page.anchors)
    is_folder = job.options["folder"] or drawn.page_bytes > job.profile.most_bytes
    job.output.add(PAGE, page.html(drawn, parts, is_folder=is_folder))
    for name, content in drawn.files.items() if is_folder else ():
        job.output.add(name, content)
    notes = ("the pictures are files: keep the page and its folder together",) if is_folder else ()
    step = f"open {(job.request.output / PAGE).as_posix()} in a browser, or upload it to a web server"
    return Outcome({"pictures": len(drawn.files)}, notes, step)


@dataclass(frozen=True)
class _Page:
    """The page of some cards, each of which is there once."""

    job: ExportJob[WebProfile]
    cards: Sequence[RenderedCard]

    @cached_property
    def anchors(self) -> dict[int, str]:
        """The address of each card on the page, which is also the name of its files, by identity."""
        names = KindNames(self.job)
        return {id(card): f"{names.of(card)}.{card.entry.card.id}" for card in self.cards}

    @cached_property
    def _now(self) -> Release:
        """All cards of the project as they are; to compare them, all must be readable."""
        return whole_release(self.job.project)

    @cached_property
    def _changes(self) -> Changes | None:
        """The changes since the release that is named, if any."""
        name = self.job.options["new_since"]
        if name is None:
            return None
        return changes_since(self.job.project, name, "--new-since", self._now)

    @cached_property
    def _changes_by_card(self) -> Mapping[CardKey, ShownChange]:
        changed = self._changes.cards if self._changes else ()
        return {
            each.new.key: ShownChange(
                self.job.captions.page_word(TITLES[each.change]),
                tuple(value_texts(each, _LONGEST_CHANGE)),
                tuple(look_and_copies(each)),
            )
            for each in changed
            if each.new
        }

    @cached_property
    def _own_facts(self) -> list[tuple[Fact, ...]]:
        return [tuple(facts_of(card.entry, self.job.captions)) for card in self.cards]

    @cached_property
    def _costs(self) -> list[float | None]:
        if field := self.job.options["cost"]:
            return collection.costs_in(field, self._own_facts)
        entries = [card.entry for card in self.cards if not isinstance(card.entry.card, StandIn)]
        costs = collection.costs_of(entries, self.job.project)
        return [costs.get(id(card.entry)) for card in self.cards]

    @cached_property
    def _facts(self) -> list[tuple[Fact, ...]]:
        """The values of each card, with its change, and with its cost unless that is one of its numbers."""
        facts, word = list(map(list, self._own_facts)), self.job.captions.page_word
        if self._cost_key == COST:
            for own, cost in zip(facts, self._costs, strict=True):
                own[2:2] = [] if cost is None else [Fact(COST, (word("Cost"),), cost)]
        if self._changes:
            for card, own in zip(self.cards, facts, strict=True):
                change = self._changes_by_card.get(card_key(card))
                title = change.title if change else word(_UNCHANGED)
                own.insert(2, Fact(CHANGE, (word(f"Since {self._changes.old}"),), (title,)))
        return list(map(tuple, facts))

    @cached_property
    def _cost_key(self) -> str:
        """The key of the cost: that of a number of the cards that has just these costs, or COST."""
        keys = (self.job.options["cost"], *COST_KEYS)
        own = ([number_in(key, facts) for facts in self._own_facts] for key in keys)
        return next((key for key, numbers in zip(keys, own, strict=True) if key and numbers == self._costs), COST)

    @cached_property
    def _fields(self) -> list[Field]:
        return fields_of(self._facts, self.job.captions)

    def html(self, drawn: Pictures, parts: Mapping[str, object], *, is_folder: bool) -> bytes:
        """Return the page with the `parts` of its second view; in a folder, its pictures are files."""
        picture = drawn.beside if is_folder else drawn.inside
        sizes = {_size_class(card): card for card in self.cards}
        captions, many = self.job.captions, f"{len(self.cards)} cards"
        count = captions.page_word(many) if captions.language else quantity(len(self.cards), "card")
        data = {
            "words": dict(self._words(count)),
            "fields": [each._asdict() for each in self._fields],
            "values": [[column(field, facts) for field in self._fields] for facts in self._facts],
        }
        style = "".join(_size_rules(name, card) for name, card in sizes.items())
        return web_page.write(
            __package__,
            self.job.title,
            data,
            style=style if is_folder else style + drawn.style(),
            cards=self._shown(picture),
            count=count,
            language=self.job.profile.language or (self.job.project.language if captions.language else None),
            lang=captions.language or "en",
            word=captions.page_word,
            number=captions.number,
            changes=self._changes,
            gone=[each.card.name for each in self._changes.of(Change.GONE)] if self._changes else (),
            is_folder=is_folder,
            **parts,
        )

    def _words(self, count: str) -> Iterator[tuple[str, str]]:
        """Yield the words of the script, with the number of all cards."""
        word = self.job.captions.page_word
        yield from (("all", count), ("some", word("{one} of {other} cards")), ("place", word("{one} of {other}")))
        yield from ((name, word(name)) for name in ("front", "back"))
        yield from ((name, word(name.capitalize())) for name in ("from", "to"))
        yield from ((name, value_text(name == "yes", self.job.captions)) for name in ("yes", "no"))

    def _shown(self, picture: Callable[[Face], Picture]) -> Iterator[ShownCard]:
        is_mixed = len({card.entry.game for card in self.cards}) > 1
        labels = {(field.key, field.sort): field.label for field in self._fields}
        for card, facts in zip(self.cards, self._facts, strict=True):
            words = {each.key: value_text(each.value, self.job.captions) for each in facts}
            rows = tuple(
                (labels.get((each.key, each.sort), " ".join(each.labels)), value_text(each.value, self.job.captions))
                for each in facts
                if each.key not in ((CHANGE,) if is_mixed else (CHANGE, GAME))
            )
            yield ShownCard(
                self.anchors[id(card)],
                card.entry.card.name,
                f"{words[GAME]} · {words[KIND]}" if is_mixed else words[KIND],
                _size_class(card),
                tuple(
                    ShownSide(name, picture(face), tuple(_texts(face)))
                    for name, face in (("front", card.piece.front), ("back", card.piece.back))
                    if face is not None
                ),
                rows,
                self._changes_by_card.get(card_key(card)),
            )

    def collection(self) -> dict[str, object]:
        """Return what the second view shows. Raises CardgenError for an unknown field of costs or release."""
        project, fields, facts = self.job.project, self._fields, self._facts
        costs = self._cost_field
        first = {KIND, CHANGE, *collection.groups_of(project, dict.fromkeys(card.entry.game for card in self.cards))}
        ordered = sorted(fields, key=lambda field: field.key not in first)
        entries = [card.entry for card in self.cards]
        addresses = {card_key(card): f"#{self.anchors[id(card)]}" for card in self.cards}
        options = ComputeOptions(self.job.request.processes, self.job.request.cache)
        ranked, build = self.job.options["balance"], self.job.request
        remarks = collection.remarks(project, entries, addresses, build.paths, cache=build.cache)
        return {
            "tables": list(collection.group_tables(ordered, facts, self._costs)),
            "curve": collection.curve(costs, collection.numbers_of(costs, facts)) if costs else None,
            "summaries": list(collection.summaries(fields, facts)),
            "trend": collection.trend(project, None if self.job.left_out else lambda: self._now),
            "trend_titles": [TITLES[change] for change in collection.TREND],
            "rankings": list(collection.rankings(project, entries, addresses, options, self.job.options["cost"]))
            if ranked
            else (),
            "remarks": list(remarks) if ranked else (),
            "length": collection.LENGTH,
        }

    @cached_property
    def _cost_field(self) -> Field | None:
        """The field of the costs, if the cards have different ones."""
        return next((field for field in self._fields if (field.key, field.sort) == (self._cost_key, NUMBER)), None)


def _texts(face: Face) -> Iterator[str]:
    """Yield what is printed on a face, in paragraphs; short texts that follow each other share one."""
    texts = (_text(fit.markup) for fit in face.fits if isinstance(fit, Fit))
    for is_short, group in groupby(filter(None, texts), key=lambda text: len(text) <= _SHORT):
        if is_short:
            yield ", ".join(group)
        else:
            yield from group


def _text(markup: str) -> str:
    """Return a printed text as people read it: a short one with words is read without its icons."""
    whole = to_plain_text(markup).strip()
    if len(whole) > 2 * _SHORT:
        return whole
    parts = ("".join(part.text for part in each if isinstance(part, Phrase)) for each in parse_markup(markup))
    words = " ".join(" ".join(parts).split())
    return words if any(map(str.isalnum, words)) else whole


def _size_class(card: RenderedCard) -> str:
    each = CutFormat.of(card)
    width, height = (f"{side:g}".replace(".", "_") for side in each.size)
    return f"s{width}x{height}{each.suffix}"


def _size_rules(name: str, card: RenderedCard) -> str:
    """Return the rules of a size: its corners, its width beside other cards, and its true size on paper."""
    each = CutFormat.of(card)
    width, height = each.size
    radius = min(width, height) / 2 if each.shape is Shape.ROUND else each.radius(_CORNERS)
    corners = f";--corners:{100 * radius / width:.4g}%/{100 * radius / height:.4g}%" if radius else ""
    rules = [f".{name}{{--ratio:{width / height:.5g}{corners}}}"]
    if width > _WIDE * height:
        rules.append(f".{name}{{grid-column:span 2}}")
    elif width < _USUAL_WIDTH:
        rules.append(f".{name} .sides{{width:{max(_NARROWEST, 100 * width / _USUAL_WIDTH):.4g}%}}")
    if width <= _PRINTABLE.width and height <= _PRINTABLE.height:
        rules.append(f"@media print{{.{name} .side{{width:{width:g}mm;height:{height:g}mm}}}}")
    return "".join(f"{rule}\n" for rule in rules)
