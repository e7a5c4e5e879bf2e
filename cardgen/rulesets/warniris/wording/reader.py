"""Effects read from sentences."""

from __future__ import annotations

from cardgen.game import Model, SentenceReading, SentenceSpan, read_sentence, split_sentences
from cardgen.rulesets.warniris.cards import Ability, Once, Relic
from cardgen.rulesets.warniris.effect import Weapon
from cardgen.rulesets.warniris.wording import voice_of
from cardgen.rulesets.warniris.wording.assembly import SentenceMeaning, interpret
from cardgen.rulesets.warniris.wording.clauses import CLAUSES
from cardgen.rulesets.warniris.wording.effects import Voice, effect_sentence


def read_text(thing: Model, text: str) -> tuple[SentenceReading, ...]:
    """Return the sentences of a text of a card or ability, as far as they were read."""
    voice = voice_of(thing)
    if voice is None:
        return ()
    return tuple(_read(sentence, voice) for sentence in split_sentences(text))


def _read(sentence: SentenceSpan, voice: Voice) -> SentenceReading:
    reading = read_sentence(CLAUSES, sentence, lambda parts, tokens: interpret(parts, tokens, voice))
    meaning = reading.value
    if not isinstance(meaning, SentenceMeaning):
        return reading
    spoken = voice._replace(once=meaning.once or voice.once)
    return reading._replace(canonical=" ".join(effect_sentence(effect, spoken) for effect in meaning.effects))
