"""The public API for games. Games import nothing else from the program.

The names that models, card texts, and rulesets need are imported immediately. The names for checks, trials, and
reference sheets load their modules at their first use (PEP 562), so that games load quickly. docs/python-game.md
explains all names.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from pydantic import Field

from cardgen.diagnostic import Severity
from cardgen.model.card import Card, Identifier
from cardgen.model.entry import Entry
from cardgen.model.references import Reference
from cardgen.quantity import quantity
from cardgen.referee.ruling import Ruling, default_settings, read_rulings, settings_in_force
from cardgen.rulesets.game_settings import GameSettings
from cardgen.rulesets.limits import IntRange, ItemCount, LimitRule, OneOf, RequiresOneOf, ShorthandModel
from cardgen.rulesets.packs import (
    DEFAULT_HEIGHT,
    MINIATURE_PIECES,
    STANDEE,
    TOKEN,
    Height,
    count_tokens,
    miniature_items,
    roster_kind,
    roster_pack,
)
from cardgen.rulesets.phrases import (
    APOSTROPHE,
    NBSP,
    NUMBER_WORDS,
    centimetres,
    die_faces,
    italic_name,
    join_clauses,
    number_in_words,
    printed_text,
    signed,
)
from cardgen.rulesets.roster import CardFinder, cards_by_name, finder_in_scope, finder_of_links
from cardgen.rulesets.ruleset import (
    GlossaryTerm,
    Kind,
    LateKinds,
    Pack,
    PackItem,
    Ruleset,
    kinds_by_name,
    read_glossary,
)
from cardgen.text.markup import embolden
from cardgen.units import CARD_SIZES, Shape, Size
from cardgen.validation.base import Aspect, Flag, Int, Model, Number, Text
from cardgen.validation.suggestion import MAX_NAME_LENGTH, closest, did_you_mean, join_words, slugify

if TYPE_CHECKING:
    from cardgen.checking.check import (
        CM_PER_INCH,
        CheckContext,
        CheckScope,
        Confidence,
        Finding,
        Findings,
        Fix,
        FreeText,
        Related,
        foreign_terms,
        foreign_units,
        rule,
    )
    from cardgen.checking.outliers import FiguresById, Outliers
    from cardgen.game_file.loader import game_from_file
    from cardgen.grammar.chart import Terminal
    from cardgen.grammar.grammar import Grammar
    from cardgen.grammar.lexer import Token
    from cardgen.grammar.meaning import Features, Meaning, Series
    from cardgen.grammar.reading import (
        ClauseSpan,
        Interpretation,
        Level,
        Part,
        SentenceReading,
        SentenceSpan,
        TextReader,
        name_end,
        read_sentence,
        split_sentences,
    )
    from cardgen.referee.battlefield import Battlefield, BattleModel, combats
    from cardgen.referee.battles import (
        BattleResult,
        FieldDecks,
        cards_of,
        outcome_lines,
        play_field,
        play_turns,
        recruits,
        set_up_field,
        side_names,
        strategy_order,
        strategy_trial,
    )
    from cardgen.referee.benchmark import Benchmark, TypicalCard
    from cardgen.referee.choice import choose, choose_in_turn, choose_one, confirm, select
    from cardgen.referee.decks import DeckCard, Player, choose_face_down
    from cardgen.referee.die import Die
    from cardgen.referee.effects import Effect, EffectRules, affect, apply_text
    from cardgen.referee.markov_chain import CounterBounds, Library, Likeness, MarkovChain, State, Step, Transition
    from cardgen.referee.number_format import decimal, percent
    from cardgen.referee.odds import OddsSolver, TooManyPathsError, odds
    from cardgen.referee.odds_range import over_candidates
    from cardgen.referee.pairings import CrowdScores, Pairing
    from cardgen.referee.part_names import find_by_name, missing_part, numbered_names
    from cardgen.referee.possible_rolls import SIDES, Dice, misfit
    from cardgen.referee.race import Assault, ExactAssault, Standing, TurnRace
    from cardgen.referee.requests import (
        AbstractedCall,
        Decision,
        LiveScoreboard,
        Log,
        MarkedMeasurement,
        Measurement,
        MemoizedCall,
        Modifier,
        Procedure,
        Roll,
        SecretLog,
        Selection,
        Test,
        in_scope,
        roll_pool,
    )
    from cardgen.referee.rolls import at_least, at_most, roll_off, roll_sum
    from cardgen.referee.rounds import RoundsResult, initiative_trial, rounds_lines
    from cardgen.referee.scoreboard import Scoreboard, SideStatus, UnitStatus
    from cardgen.referee.situation import Parameter
    from cardgen.referee.stacks import Contact, StackField, StackModel, contact_groups, line_up, topmost
    from cardgen.referee.trial import (
        CardData,
        Competitor,
        GameTrials,
        OddsTable,
        PreparedTrial,
        RulesConfig,
        Trial,
        at_least_rows,
        card_data,
        card_of_kind,
        distribution_rows,
        distribution_table,
        in_words_only,
        label_table,
        optional_card,
        plain_data,
    )
    from cardgen.reference.document_tree import Block, DefinitionList, Table, TextBlock
    from cardgen.reference.resolve import NotAvailableError, rich_text
    from cardgen.rulesets import accessories, pieces
    from cardgen.rulesets.crowds import race_scores
    from cardgen.rulesets.duels import ExactDuel, FirstFighter, copies_by_points, round_robin_pairings
    from cardgen.rulesets.piece_kinds import accessory_kinds, piece_kinds, tool_kinds
    from cardgen.rulesets.pieces import trim_size
    from cardgen.rulesets.reference import (
        CardGroup,
        CardOptions,
        ContentProvider,
        GameData,
        InlineValue,
        NoOptions,
        ReferenceContent,
        default_config,
        definition_list,
        fact_values,
        find_each,
        left_out_note,
        rows_table,
        table,
        text_entries,
    )
    from cardgen.rulesets.relay_duel import FORCES, RelayDuel, copies_in_force, put
    from cardgen.source import KeyPath

__all__ = [
    "APOSTROPHE", "CARD_SIZES", "CM_PER_INCH", "DEFAULT_HEIGHT", "FORCES", "MAX_NAME_LENGTH", "MINIATURE_PIECES",
    "NBSP", "NUMBER_WORDS", "SIDES",
    "STANDEE", "TOKEN", "AbstractedCall", "Aspect", "Assault", "BattleModel", "BattleResult",
    "Battlefield", "Benchmark", "Block", "Card", "CardData", "CardFinder", "CardGroup", "CardOptions", "CheckContext",
    "CheckScope", "ClauseSpan", "Competitor", "Confidence", "Contact", "ContentProvider", "CounterBounds",
    "CrowdScores", "Decision", "DeckCard", "DefinitionList", "Dice", "Die", "Effect", "EffectRules", "Entry",
    "ExactAssault",
    "ExactDuel", "Features", "Field", "FieldDecks", "FiguresById", "Finding", "Findings", "FirstFighter", "Fix", "Flag",
    "FreeText", "GameData", "GameSettings", "GameTrials", "GlossaryTerm", "Grammar", "Height", "Identifier",
    "InlineValue", "Int", "IntRange", "Interpretation", "ItemCount", "KeyPath", "Kind", "LateKinds", "Level", "Library",
    "Likeness", "LimitRule", "LiveScoreboard", "Log", "MarkedMeasurement", "MarkovChain", "Meaning", "Measurement",
    "MemoizedCall", "Model", "Modifier", "NoOptions", "NotAvailableError", "Number", "OddsSolver", "OddsTable", "OneOf",
    "Outliers", "Pack", "PackItem", "Pairing", "Parameter", "Part", "Player", "PreparedTrial", "Procedure", "Reference",
    "ReferenceContent", "Related", "RelayDuel", "RequiresOneOf", "Roll", "RoundsResult", "RulesConfig", "Ruleset",
    "Ruling", "Scoreboard", "SecretLog", "Selection", "SentenceReading", "SentenceSpan", "Series", "Severity", "Shape",
    "ShorthandModel", "SideStatus", "Size", "StackField", "StackModel", "Standing", "State", "Step", "Table",
    "Terminal", "Test", "Text", "TextBlock", "TextReader", "Token", "TooManyPathsError", "Transition", "Trial",
    "TurnRace", "TypicalCard", "UnitStatus", "accessories", "accessory_kinds", "affect", "apply_text", "at_least",
    "at_least_rows", "at_most", "card_data", "card_of_kind", "cards_by_name", "cards_of", "centimetres", "choose",
    "choose_face_down", "choose_in_turn", "choose_one", "closest", "combats", "confirm", "contact_groups",
    "copies_by_points", "copies_in_force", "count_tokens", "decimal", "default_config", "default_settings",
    "definition_list", "did_you_mean", "die_faces", "distribution_rows", "distribution_table", "embolden",
    "fact_values", "find_by_name", "find_each", "finder_in_scope", "finder_of_links", "foreign_terms", "foreign_units",
    "game_from_file", "in_scope", "in_words_only", "initiative_trial", "italic_name", "join_clauses", "join_words",
    "kinds_by_name", "label_table", "left_out_note", "line_up", "miniature_items", "misfit", "missing_part", "name_end",
    "number_in_words",
    "numbered_names", "odds", "optional_card", "outcome_lines", "over_candidates", "percent", "piece_kinds", "pieces",
    "plain_data", "play_field", "play_turns", "printed_text", "put", "quantity", "race_scores", "read_glossary",
    "read_rulings", "read_sentence", "recruits", "rich_text", "roll_off", "roll_pool", "roll_sum", "roster_kind",
    "roster_pack", "round_robin_pairings", "rounds_lines", "rows_table", "rule", "select", "set_up_field",
    "settings_in_force", "side_names", "signed", "slugify", "split_sentences", "strategy_order", "strategy_trial",
    "table", "text_entries", "tool_kinds", "topmost", "trim_size",
]  # fmt: skip

# The modules that are loaded at their first use, and the names from each.
_LAZY_MODULES = {
    "cardgen.checking.check": (
        "Confidence Finding Findings Fix Related rule CM_PER_INCH CheckContext CheckScope FreeText "
        "foreign_terms foreign_units"
    ),
    "cardgen.checking.outliers": "FiguresById Outliers",
    "cardgen.game_file.loader": "game_from_file",
    "cardgen.referee.benchmark": "Benchmark TypicalCard",
    "cardgen.referee.part_names": "find_by_name missing_part numbered_names",
    "cardgen.grammar.chart": "Terminal",
    "cardgen.grammar.grammar": "Grammar",
    "cardgen.grammar.lexer": "Token",
    "cardgen.grammar.meaning": "Features Meaning Series",
    "cardgen.grammar.reading": (
        "ClauseSpan Interpretation Level Part SentenceReading SentenceSpan TextReader name_end read_sentence "
        "split_sentences"
    ),
    "cardgen.referee.battlefield": "Battlefield BattleModel combats",
    "cardgen.referee.markov_chain": "CounterBounds Library Likeness State Step Transition MarkovChain",
    "cardgen.referee.choice": "choose choose_in_turn choose_one confirm select",
    "cardgen.referee.decks": "DeckCard Player choose_face_down",
    "cardgen.referee.die": "Die",
    "cardgen.referee.effects": "Effect EffectRules affect apply_text",
    "cardgen.referee.battles": (
        "FieldDecks cards_of play_field set_up_field recruits side_names strategy_order strategy_trial "
        "BattleResult outcome_lines play_turns"
    ),
    "cardgen.referee.number_format": "decimal percent",
    "cardgen.referee.odds": "OddsSolver TooManyPathsError odds",
    "cardgen.referee.odds_range": "over_candidates",
    "cardgen.referee.pairings": "CrowdScores Pairing",
    "cardgen.referee.race": "Assault ExactAssault Standing TurnRace",
    "cardgen.referee.possible_rolls": "Dice SIDES misfit",
    "cardgen.referee.requests": (
        "AbstractedCall Decision LiveScoreboard Log MarkedMeasurement Measurement MemoizedCall Modifier "
        "Procedure Roll  SecretLog Selection Test in_scope roll_pool"
    ),
    "cardgen.referee.rolls": "at_least at_most roll_off roll_sum",
    "cardgen.referee.rounds": "RoundsResult initiative_trial rounds_lines",
    "cardgen.referee.scoreboard": "Scoreboard SideStatus UnitStatus",
    "cardgen.referee.situation": "Parameter",
    "cardgen.referee.stacks": "Contact StackField StackModel contact_groups line_up topmost",
    "cardgen.referee.trial": (
        "CardData Competitor GameTrials OddsTable PreparedTrial RulesConfig Trial  at_least_rows card_data "
        "card_of_kind distribution_rows distribution_table  in_words_only label_table optional_card "
        "plain_data"
    ),
    "cardgen.reference.document_tree": "Block DefinitionList Table TextBlock",
    "cardgen.reference.resolve": "NotAvailableError rich_text",
    "cardgen.rulesets.crowds": "race_scores",
    "cardgen.rulesets.piece_kinds": "accessory_kinds piece_kinds tool_kinds",
    "cardgen.rulesets.pieces": "trim_size",
    "cardgen.rulesets.relay_duel": "FORCES RelayDuel copies_in_force put",
    "cardgen.rulesets.duels": "ExactDuel FirstFighter copies_by_points round_robin_pairings",
    "cardgen.rulesets.reference": (
        "CardGroup CardOptions ContentProvider GameData InlineValue NoOptions ReferenceContent default_config "
        "definition_list fact_values find_each left_out_note rows_table table text_entries"
    ),
    "cardgen.source": "KeyPath",
}
# The modules whose names are used with their own name.
_LAZY_PARTS = ("accessories", "pieces")

if not TYPE_CHECKING:  # Otherwise, type checkers would accept every name.

    def __getattr__(name: str) -> object:
        """Load the module of a name, and bind its public names here."""
        if name in _LAZY_PARTS:
            return import_module(f"cardgen.rulesets.{name}")
        for module, names in _LAZY_MODULES.items():
            if name in names.split():
                home = import_module(module)
                globals().update({each: getattr(home, each) for each in names.split()})
                return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
