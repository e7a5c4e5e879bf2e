"""Pictures of cards: art, and backs that the card, its template, or the settings name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from itertools import chain, islice, product
from pathlib import Path, PurePosixPath
from stat import S_ISREG
from typing import NamedTuple, TypeAlias
from urllib.parse import unquote

from cardgen.diagnostic import (
    VERY_CLOSE_CUTOFF,
    CardgenError,
    Code,
    Diagnostic,
    Place,
    Severity,
    UnknownName,
    closest,
    did_you_mean,
    join_words,
)
from cardgen.model.card import AUTO, Art, Card, Entry
from cardgen.model.card_values import BackSource
from cardgen.project.files import AmbiguousPictureError, may_hold_cards
from cardgen.project.project import BackRule, Project, is_picture
from cardgen.rulesets.ruleset import Ruleset
from cardgen.runtime.fingerprint import OTHER_PICTURE_SUFFIXES, PICTURE_SUFFIXES, walk
from cardgen.runtime.user_folders import embedded_picture
from cardgen.source import KeyPath
from cardgen.units import with_article
from cardgen.validation.base import ModelKey, accepted_keys, model_keys

ART_FOLDER = "art"
_ALL_SUFFIXES = (*PICTURE_SUFFIXES, *OTHER_PICTURE_SUFFIXES)
_MAX_ENTRIES = 20_000
# With more pictures than this, looking for a similar name would take too long for each card.
_MAX_COMPARED = 200


def find_art(project: Project, entry: Entry, name: str) -> Path:
    """Return a picture that a card names.

    It is looked up beside the card's file, then in the project folder; one without a folder also in the folder 'art' of
    both. One of the id of the card is looked up in the folder of its field in 'art' first. Raises ValueError with a
    message for the user if it is outside the project, or not found.
    """
    folder, _, file = name.rpartition("/")
    return _find_by_id(project, entry, folder) if file == AUTO else _find_by_path(project, _bases(project, entry), name)


FindArt: TypeAlias = Callable[[Project, Entry, str], Path]


def find_beside(project: Project, find: FindArt, entry: Entry, file: Path, address: str) -> Path:
    """Return the picture of an `image` in a template: one that is embedded in it, or beside it, or that `find` finds.

    Raises ValueError as `find_art` does.
    """
    if address.startswith("data:"):
        try:
            return embedded_picture(address)
        except OSError as error:
            reason = error.strerror or error
            raise ValueError(f"an embedded picture cannot be kept in the cache ({reason}); link the file") from None
    name = unquote(address)
    folder = file.parent
    with suppress(ValueError, OSError):
        if folder.is_relative_to(project.root) or folder.resolve().is_relative_to(project.root.resolve()):
            path = project.resolve_inside(name, folder)
            if S_ISREG(path.stat().st_mode):
                return path
    return find(project, entry, name)


def find_picture(project: Project, name: str) -> Path:
    """Return a picture that a setting names, as `find_art` does."""
    return _find_by_path(project, (project.root,), name)


def _bases(project: Project, entry: Entry) -> tuple[Path, ...]:
    return (project.cwd / entry.document.file).parent, project.root


def _find_by_path(project: Project, bases: Iterable[Path], name: str) -> Path:
    bases = tuple(bases)
    for base in (*bases, *(base / ART_FOLDER for base in bases if "/" not in name)):
        path = project.resolve_inside(name, base)
        try:
            if S_ISREG(path.stat().st_mode):  # Path.is_file hides errors since Python 3.14.
                return path
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:  # name too long, or folder not accessible
            raise ValueError(f"'{name}' cannot be accessed: {error.strerror or error}") from None
    near = _similar_path(project, bases, name)
    suggestion = f"; did you mean '{near}'?" if near else ""
    raise ValueError(f"file '{name}' not found, neither beside the card nor in the project folder{suggestion}")


def _similar_path(project: Project, bases: Iterable[Path], name: str) -> str:
    """Return the path of a picture that was probably meant, in another case or in the folder 'art'; or ''."""
    wanted = PurePosixPath(name)
    for base, folder in product(dict.fromkeys(bases), dict.fromkeys((wanted.parent.as_posix(), ART_FOLDER))):
        try:
            by_id = _pictures(project, base, folder).by_id
        except ValueError:  # outside the project, or too many files
            continue
        same, names = by_id.get(wanted.stem.lower()), [*chain(*by_id.values())]
        known = names if len(names) <= _MAX_COMPARED else ()
        if near := same[0] if same else closest(wanted.name, known, VERY_CLOSE_CUTOFF):
            return near if folder == "." else f"{folder}/{near}"
    return ""


def _find_by_id(project: Project, entry: Entry, field: str) -> Path:
    """Return the only picture whose name is the card's id in a folder 'art', or in that of a `field` in it."""
    stems: dict[str, str] = {}
    folders = [f"{ART_FOLDER}/{field}", ART_FOLDER] if field else [ART_FOLDER]
    for folder, base in product(folders, dict.fromkeys(_bases(project, entry))):
        pictures = _pictures(project, base, folder)
        matches = pictures.by_id.get(entry.card.id, ())
        if len(matches) > 1:
            message = f"several pictures for '{entry.card.id}' in {folder}/: {', '.join(matches)}"
            paths = (base / folder / name for name in matches)
            raise AmbiguousPictureError(message, tuple(Path(os.path.realpath(path)) for path in paths))
        if matches:
            return _find_by_path(project, (base,), f"{folder}/{matches[0]}")
        stems = {stem: f"{folder}/{name}" for stem, name in pictures.by_stem.items()} | stems
    near = closest(entry.card.id, stems) if len(stems) <= _MAX_COMPARED else ""
    suggestion = f"; did you mean '{stems[near]}'?" if near else ""
    wanted = " or ".join(f"'{folder}/{entry.card.id}.*'" for folder in folders)
    raise ValueError(f"no picture {wanted}{suggestion}")


class _Pictures(NamedTuple):
    """The sorted names of pictures by the ids that they fit, and by their names without suffixes."""

    by_id: Mapping[str, tuple[str, ...]]
    by_stem: Mapping[str, str]


def _pictures(project: Project, base: Path, name: str = ART_FOLDER) -> _Pictures:
    """Return the pictures in a folder, by default 'art'.

    Raises ValueError with a message for the user if a link leads from it out of the project, or it has too many files:
    which of them were read would depend on the file system.
    """
    folder = project.resolve_inside(name, base)
    try:
        return _pictures_in(folder, folder.stat().st_mtime_ns)
    except OSError:
        return _Pictures({}, {})


@lru_cache(maxsize=8)
def _pictures_in(folder: Path, modified: int) -> _Pictures:
    """Return the pictures in a folder that was last changed at some time."""
    with os.scandir(folder) as entries:
        names = [each.name for each in islice(entries, _MAX_ENTRIES + 1)]
    if len(names) > _MAX_ENTRIES:
        raise ValueError(f"there are more than {_MAX_ENTRIES:,} files in {folder.name}/")
    by_id: dict[str, tuple[str, ...]] = {}
    by_stem: dict[str, str] = {}
    for name in sorted(name for name in names if name.lower().endswith(PICTURE_SUFFIXES)):
        stem = Path(name).stem
        by_id[stem.lower()] = (*by_id.get(stem.lower(), ()), name)
        by_stem[stem] = name
    return _Pictures(by_id, by_stem)


def add_automatic_art(project: Project, entries: Iterable[Entry]) -> None:
    """Give the cards without art the pictures of their ids, if the settings say so and there are any.

    Cards are changed in place, because others link to them.
    """
    if project.settings.art != AUTO:
        return
    stems: dict[Path, frozenset[str]] = {}
    for entry in entries:
        bases = _bases(project, entry)
        for base in bases:
            if base not in stems:
                stems[base] = _stems(project, base)
        if entry.card.art is None and any(entry.card.id in stems[base] for base in bases):
            entry.card.__dict__["art"] = Art(file=AUTO)


def _stems(project: Project, base: Path) -> frozenset[str]:
    """Return the names of the pictures in the folder 'art' without suffixes. Raises CardgenError."""
    try:
        return frozenset(_pictures(project, base).by_id)
    except ValueError as error:
        place = Place(project.display_path(base / ART_FOLDER))
        raise CardgenError(Diagnostic(Code.OUTSIDE, str(error), place, "rename the folder, or remove files")) from None


def art_files(project: Project) -> Mapping[str, Path]:
    """Return the pictures in folders named 'art', by displayed path; some may have a format that cannot be drawn."""
    return {project.display_path(path): path for path in sorted(_walk_art(project.root))}


def _walk_art(root: Path) -> Iterator[Path]:
    for entry in walk(str(root), may_hold_cards):
        if not entry.name.lower().endswith(_ALL_SUFFIXES):
            continue
        path = Path(entry.path)
        if ART_FOLDER in path.relative_to(root).parts[:-1]:
            yield path


class BackChoice(NamedTuple):
    """The back that a card or a setting names: a picture, or a template.

    `rule` is the number of the rule in the settings; None if the card itself names the back.
    """

    name: str
    rule: int | None = None

    @property
    def is_picture(self) -> bool:
        """True for the path of a picture."""
        return is_picture(self.name)


def choose_back(entry: Entry, rules: Sequence[BackRule], has_back: Callable[[str], bool]) -> BackChoice | None:
    """Return the back of a card; None if it is the one of its kind.

    The card's own `back` comes first, then that of its own `template`, then the first rule of the settings that
    applies. `has_back` tells whether a template has a back.
    """
    card = entry.card
    if card.back:
        return BackChoice(card.back)
    if card.template and has_back(card.template):
        return BackChoice(card.template)
    numbers = (number for number, rule in enumerate(rules) if rule.applies_to(entry.kind, card.tags, card))
    number = next(numbers, None)
    return None if number is None else BackChoice(rules[number].back, number)


def find_back(project: Project, entry: Entry, has_back: Callable[[str], bool]) -> BackSource:
    """Return the source of a card's back; `has_back` tells whether a template has one.

    Raises CardgenError, located at the name, if a picture cannot be used.
    """
    choice = choose_back(entry, project.settings.back, has_back)
    if choice is None:
        return BackSource(None, "", entry.place)
    if choice.rule is None:
        place = partial(entry.place, ("back" if entry.card.back else "template",))
    else:
        place = partial(_place_in_rule, project, choice.rule, ("back",))
    if not choice.is_picture:
        return BackSource(None, choice.name, place)
    try:
        find = find_picture(project, choice.name) if choice.rule is not None else find_art(project, entry, choice.name)
    except ValueError as error:
        raise _error(str(error), place()) from None
    return BackSource(find, "", place)


def _error(message: str, place: Place) -> CardgenError:
    return CardgenError(Diagnostic(Code.ART, message, place, "add the picture, or set another back"))


def settings_back(project: Project, entry: Entry) -> str:
    """Return the back that the settings give to a card, or ''."""
    rules = project.settings.back
    return next((rule.back for rule in rules if rule.applies_to(entry.kind, entry.card.tags, entry.card)), "")


def back_pictures(project: Project) -> frozenset[Path]:
    """Return the pictures that are backs by the settings, as far as they exist."""
    pictures = set()
    for rule in project.settings.back:
        if is_picture(rule.back):
            with suppress(ValueError):
                pictures.add(find_picture(project, rule.back))
    return frozenset(pictures)


def _place_in_rule(project: Project, number: int, key_path: KeyPath = (), *, key: bool = False) -> Place:
    """Return the place of a part of a rule for backs, which can be one of a list, the only one, or that of a kind."""
    kind = project.settings.back[number].kind
    document = project.document.data if project.document else None
    written = document.get("back") if isinstance(document, dict) else None
    if not isinstance(written, dict):
        return project.place(("back", number, *key_path), key=key)
    if "back" in written:
        return project.place(("back", *key_path), key=key)
    return project.place(("back", str(kind)), key=key_path == ("kind",))


def wrong_back_rules(project: Project, game: Ruleset) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each name in a rule that does not exist: a kind, a key, or a choice."""
    kinds = tuple(name for name, kind in game.kinds.items() if kind.is_printed)
    for number, rule in enumerate(project.settings.back):
        if rule.kind is not None and rule.kind not in kinds:
            unknown = UnknownName("kind", rule.kind, kinds, (rule.kind,))
            yield Diagnostic(Code.BAD_SETTINGS, str(unknown), _place_in_rule(project, number, ("kind",)), unknown.help)
        else:
            models = tuple(game.kinds[name].model for name in kinds if rule.kind in (None, name))
            yield from _wrong_conditions(rule, models, number, project)


def _wrong_conditions(
    rule: BackRule, models: tuple[type[Card], ...], number: int, project: Project
) -> Iterator[Diagnostic]:
    if any(model.model_config.get("extra") == "allow" for model in models):
        return
    for name, value in rule.where.items():
        keys = [model_keys(model)[name] for model in models if name in model_keys(model)]
        if not keys:
            guess = did_you_mean(name, accepted_keys(models))
            owner = with_article(rule.kind) if rule.kind else "any kind"
            place = _place_in_rule(project, number, ("where", name), key=True)
            yield Diagnostic(Code.BAD_SETTINGS, f"unknown key '{name}' of {owner}{guess}", place)
        elif all(_is_impossible(key, value) for key in keys):
            choices = [str(choice) for key in keys for choice in key.choices if choice is not None]
            message = f"must be {join_words(dict.fromkeys(choices))}, not '{value}'{did_you_mean(str(value), choices)}"
            yield Diagnostic(Code.BAD_SETTINGS, message, _place_in_rule(project, number, ("where", name)))


def _is_impossible(key: ModelKey, value: str | int | bool) -> bool:
    """Return whether a value is not one of the choices of its key."""
    return bool(key.choices) and str(value) not in map(str, key.choices)


def missing_back_pictures(project: Project) -> Iterator[Diagnostic]:
    """Yield an error for each rule whose picture is missing."""
    for number, rule in enumerate(project.settings.back):
        if is_picture(rule.back):
            try:
                find_picture(project, rule.back)
            except ValueError as error:
                place = _place_in_rule(project, number, ("back",))
                yield Diagnostic(Code.ART, str(error), place, "add the picture, or set another back")


def unused_back_rules(project: Project, entries: Iterable[Entry]) -> Iterator[Diagnostic]:
    """Yield a warning for each rule whose conditions no card meets."""
    cards = list(entries) if project.settings.back else []
    for number, rule in enumerate(project.settings.back):
        if cards and not any(rule.applies_to(entry.kind, entry.card.tags, entry.card) for entry in cards):
            tags = {tag for entry in cards for tag in entry.card.tags}
            guess = did_you_mean(rule.tag, tags) if rule.tag and rule.tag not in tags else ""
            what = f"the tag '{rule.tag}'{guess}" if guess else "this rule"
            message = f"no card has {what}" if guess else f"no card matches {what}"
            place = _place_in_rule(project, number)
            yield Diagnostic(Code.BAD_SETTINGS, message, place, "change its conditions, or remove it", Severity.WARNING)
