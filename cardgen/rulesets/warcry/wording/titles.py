"""Names and mottos that authors put before a rule: 'Shields up!', or 'Stabby stabby: …'."""

from __future__ import annotations

import re

MAX_WORDS = 5
_LABEL = re.compile(
    r"\s*(?P<title>[\"“'‘]?[A-Z][^\d:;()\[\]+=%]{1,40}?)(?P<mark>!?)"
    r"[?.]?[\"”’']?(?::|\s[-–—]+)\s+(?=\S)"
)
_WORD = re.compile(r"[^\W\d_]+(?:[’'][^\W\d_]+)?")
# A battle cry in quotes, which can say anything.
_QUOTED = re.compile(r"\s*[\"“][^\"“”\d]+[\"”][!.?]?\s*")
_SMALL = frozenset(("of", "the", "and", "a", "an", "in", "to", "for", "as", "on", "by", "with", "at", "from"))
# Words that limit rules, so that nothing that contains one is only a title.
LIMITS = frozenset((
    "discard", "spend", "spends", "sacrifice", "lose", "loses", "drop", "drops", "cost", "costs", "pay", "pays",
    "ignore", "ignores", "cancel", "stop", "stops", "stun", "stunned", "reserve", "reserves", "gain", "gains", "swap",
    "afterwards",
    "not", "no", "never", "none", "or", "only", "other", "others", "each", "all", "any", "every", "both", "either",
    "unless", "except", "excluding", "exclude", "excludes", "excluded", "including", "once", "twice", "if",
    "when", "whenever", "while", "until", "till", "before", "after", "during", "instead", "without", "may", "must",
    "cannot", "can't", "don't", "won't", "doesn't", "isn't", "enemy", "enemies", "friend", "friends", "friendly",
    "foe", "foes", "ally", "allies", "fighter", "fighters", "model", "models", "self", "you", "your", "anyone",
    "everyone", "single", "double", "triple", "quad", "per", "max", "maximum", "min", "minimum", "requires",
    "require", "required", "needs", "need", "optional", "heroes", "beasts", "minions", "monsters", "leaders",
    "mounts", "thralls", "champions", "warband", "player", "players", "opponent", "half", "halve", "halved",
    "visible", "within", "always", "also", "usable", "again", "another", "additional", "least", "most", "exactly",
    "neither", "non",
))  # fmt: skip
# Words that names begin with, such as 'Last Stand', but that change a rule if they are written without a capital.
ORDINALS = frozenset(("first", "second", "third", "next", "last", "previous"))
# Words that rules are made of: titles such as 'Battle Cry' have some, but not only those.
_TERMS = frozenset((
    "use", "uses", "used", "add", "adds", "subtract", "subtracts", "remove", "removes", "pick", "choose", "roll",
    "rolls", "reroll", "allocate", "suffer", "suffers", "attack", "attacks", "melee", "missile", "ranged",
    "shooting", "weapon", "weapons", "move", "moves", "toughness", "strength", "wound", "wounds", "range", "damage",
    "critical", "criticals", "crit", "crits", "dice", "die", "hits", "bonus", "action", "actions", "activation",
    "activations", "battle", "round", "rounds", "turn", "turns", "reaction", "reactions", "ability", "abilities",
    "cover", "objective", "objectives", "treasure", "runemark", "runemarks", "hero", "beast", "minion", "monster",
    "leader", "mount", "thrall", "champion", "disengage", "target", "targets", "fly", "flies", "heal", "heals",
))  # fmt: skip


def is_title(text: str) -> bool:
    """Return whether a sentence is only a name or a motto: a few words that do not make a rule."""
    words = _WORD.findall(text)
    if _QUOTED.fullmatch(text):
        return len(words) <= MAX_WORDS
    if not 0 < len(words) <= MAX_WORDS or any(each.isdigit() for each in text) or set(text) & set(":;()[]+=%{}"):
        return False
    if re.search(r"\b(?:up to|one of)\b", text):
        return False
    plain = [word.lower().replace("’", "'") for word in words if word not in _SMALL]
    if not plain or not LIMITS.isdisjoint(plain) or not ORDINALS.isdisjoint(words):
        return False
    is_capitalized = all(word[0].isupper() or word in _SMALL for word in words)
    can_have_terms = text.rstrip("\"”’'").endswith("!") or (is_capitalized and not _TERMS.issuperset(plain))
    return can_have_terms or _TERMS.isdisjoint(plain)


def title_end(text: str) -> int:
    """Return where a rule begins after a title and a colon or dash, or 0."""
    match = _LABEL.match(text)
    return match.end() if match and is_title(match["title"] + match["mark"]) else 0
