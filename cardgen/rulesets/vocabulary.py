"""Vocabularies: the words of a game's effects, each declared once, with all that the game asks of it.

A game derives a class from `Word` for each sort of word, such as what happens to somebody (deeds), conditions, moments,
and durations. Its fields are the facts that the game's own code would otherwise keep as lists of names. A fact without
a default must be given, and a default must be safe for a word that nobody has thought about (fail closed):

    @dataclass(frozen=True, kw_only=True)
    class Deed(Word):
        says: Phrase  # How its clause is written.
        state: Meaning = EVERYTHING  # What odds depend on because of it.
        is_sudden: bool = False

Words that are keys of a model stand in the annotations of its fields, after the type and its range. `Vocabulary.of`
collects them, and their help becomes the description of the keys, in the JSON Schema and in the docs:

    class Deeds(Model):
        heal: Annotated[Points, Deed("wounds regained", says=Phrase.AMOUNT, state=Meaning.HEALS, is_sudden=True)] = 0
        fury: Annotated[Points, Deed("more dice", says=Phrase.CHANGE)] = 0

    DEEDS = Vocabulary.of(Deeds, Deed)

Words that are values are declared by name, and give the type of a field:

    SPANS = Vocabulary({"turn": Span("the end of the turn"), "battle": Span("the end of the battle")})
    Duration: TypeAlias = str if TYPE_CHECKING else SPANS.literal

Lists of names are questions to a vocabulary: `DEEDS.where(lambda deed: deed.is_sudden)`. Code with one function for
each word, such as what the referee does, keeps them in a table by name, and `require_all` compares it with the
vocabulary when the module is loaded.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel

W = TypeVar("W", bound="Word")
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Word:
    """A word of a game; `help` says in a few words what it means, and the vocabulary gives the `name`."""

    help: str = field(kw_only=False)
    name: str = ""


class Vocabulary(Mapping[str, W], Generic[W]):
    """The declared words of one sort by name, in their order."""

    def __init__(self, words: Mapping[str, W]) -> None:
        self._words = {name: replace(word, name=name) for name, word in words.items()}

    @classmethod
    def of(cls, model: type[BaseModel], sort: type[W], keys: Collection[str] = ()) -> "Vocabulary[W]":
        """Return the words that are declared in the annotations of a model's keys: of all, or of some.

        Call it right after the model's class, before any schema of it. Raises TypeError for a key that declares none.
        """
        words: dict[str, W] = {}
        for name in keys or model.model_fields:
            info = model.model_fields[name]
            declared = [each for each in info.metadata if isinstance(each, sort)]
            if len(declared) != 1:
                raise TypeError(f"{model.__name__}.{name} must declare one {sort.__name__}, not {len(declared)}")
            words[info.alias or name] = declared[0]
            info.description = declared[0].help
        return cls(words)

    def __getitem__(self, name: str) -> W:
        return self._words[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __len__(self) -> int:
        return len(self._words)

    def where(self, test: Callable[[W], object]) -> tuple[str, ...]:
        """Return the names of the words for which a test holds."""
        return tuple([name for name, word in self._words.items() if test(word)])

    def facts(self, fact: Callable[[W], T]) -> dict[str, T]:
        """Return a fact of the words by name, of those that have it."""
        return {name: value for name, word in self._words.items() if (value := fact(word))}

    def require_all(self, names: Collection[str], test: Callable[[W], object] = lambda _: True) -> None:
        """Raise TypeError unless a table has these names: all words, or those for which a test holds."""
        expected = {*self.where(test)}
        if missing := expected.symmetric_difference(names):
            raise TypeError(f"declared, but not dealt with, or the reverse: {', '.join(sorted(missing))}")

    @property
    def literal(self) -> Any:
        """The type of its names, for a field."""
        return Literal[tuple(self._words)]
