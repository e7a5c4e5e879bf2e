"""The public API for games. Games import nothing else from the program.

The names that models, card texts, and rulesets need are imported immediately. The names for checks, trials, and
reference sheets load their modules at their first use (PEP 562), so that games load quickly. docs/python-game.md
explains all names.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from pydantic import Field

from cardgen.diagnostic import MAX_NAME_LENGTH, Severity, as_typed, closest, did_you_mean, join_words, slugify
from cardgen.language import beside
from cardgen.model.card import Card, Entry, Identifier
from cardgen.model.deck import Reference
from cardgen.referee.parameters import Ruling, default_settings, settings_in_force
from cardgen.rulesets.game_settings import GameSettings
from cardgen.rulesets.phrases import (
    APOSTROPHE,
    NBSP,
    NUMBER_WORDS,
    centimetres,
    die_faces,
    italic_name,
    number_in_words,
    printed_text,
    resolve_bearer,
    signed,
    told_changes,
)
from cardgen.rulesets.ruleset import (
    DEFAULT_HEIGHT,
    MINIATURE_PIECES,
    STANDEE,
    TOKEN,
    CardFinder,
    GlossaryTerm,
    Height,
    Kind,
    LateKinds,
    Pack,
    PackItem,
    Ruleset,
    cheapest_way_back,
    count_tokens,
    finder_in_scope,
    finder_of_links,
    kinds_by_name,
    late,
    miniature_items,
    read_glossary,
    read_keyed_lines,
    read_rulings,
    roster_kind,
    roster_pack,
    such_as,
)
from cardgen.rulesets.vocabulary import (
    IntRange,
    ItemCount,
    LimitRule,
    OneOf,
    RequiresOneOf,
    ShorthandModel,
    Vocabulary,
    Word,
)
from cardgen.text.lines import embolden
from cardgen.units import CARD_SIZES, Shape, Size, quantity
from cardgen.validation.base import Aspect, Flag, Int, Model, Number, Text

if TYPE_CHECKING:
    from cardgen.checking.check import (
        CM_PER_INCH,
        CheckContext,
        CheckScope,
        Confidence,
        Finding,
        Findings,
        FreeText,
        Related,
        foreign_terms,
        foreign_units,
        rule,
    )
    from cardgen.checking.contradictions import contradictions, mismatches, takes
    from cardgen.checking.figures import FigureRange, FigureRows, KeptFigures, Outlier, Outliers
    from cardgen.diagnostic import Fix
    from cardgen.game_file.loader import game_from_file
    from cardgen.grammar.claims import Claim, Claims, gap, read_claims, read_members, thing
    from cardgen.grammar.clauses import Features, Meaning, Series, Token
    from cardgen.grammar.grammar import Grammar, Terminal, UnwrittenError, punctuated
    from cardgen.grammar.reading import (
        ClauseSpan,
        Interpretation,
        Level,
        Part,
        SentenceReading,
        SentenceSpan,
        TextReader,
        UnclearError,
        name_end,
        read_sentence,
        split_sentences,
        unclear_if,
    )
    from cardgen.referee.battlefield import (
        Battlefield,
        BattleModel,
        Contact,
        Effect,
        EffectRules,
        StackField,
        StackModel,
        affect,
        apply_text,
        combats,
        contact_groups,
        line_up,
        topmost,
    )
    from cardgen.referee.battles import (
        BattleResult,
        FieldDecks,
        FieldRules,
        cards_of,
        lay_deployed,
        outcome_lines,
        play_field,
        play_turns,
        recruits,
        set_up_field,
        side_names,
        strategy_order,
        strategy_trial,
    )
    from cardgen.referee.die import SIDES, Dice, Die, misfit
    from cardgen.referee.markov_chain import CounterBounds, MarkovChain, State, Step, Transition
    from cardgen.referee.odds import OddsSolver, TooManyPathsError, decimal, odds, percent
    from cardgen.referee.parameters import Benchmark, Parameter, TypicalCard, find_by_name, missing_part, numbered_names
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
        Scoreboard,
        SecretLog,
        Selection,
        SideStatus,
        Test,
        UnitStatus,
        at_least,
        at_most,
        choose,
        choose_in_turn,
        choose_one,
        confirm,
        in_scope,
        roll_off,
        roll_pool,
        roll_sum,
        select,
    )
    from cardgen.referee.rounds import DeckCard, Player, RoundsResult, choose_face_down, initiative_trial, rounds_lines
    from cardgen.referee.scores import CrowdScores, Pairing
    from cardgen.referee.trial import (
        Assumed,
        CardData,
        Competitor,
        GameTrials,
        Idle,
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
        over_candidates,
        plain_data,
    )
    from cardgen.reference.document_tree import Block, DefinitionList, Table, TextBlock
    from cardgen.reference.resolve import NotAvailableError, rich_text
    from cardgen.rulesets import pieces
    from cardgen.rulesets.duels import (
        FORCES,
        ExactDuel,
        FirstFighter,
        RelayDuel,
        copies_by_points,
        copies_in_force,
        put,
        race_scores,
        round_robin_pairings,
    )
    from cardgen.rulesets.pieces import accessory_kinds, piece_kinds, tool_kinds, trim_size
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
    from cardgen.source import KeyPath

__all__ = [
    "APOSTROPHE",
    "CARD_SIZES",
    "CM_PER_INCH",
    "DEFAULT_HEIGHT",
    "FORCES",
    "MAX_NAME_LENGTH",
    "MINIATURE_PIECES",
    "NBSP",
    "NUMBER_WORDS",
    "SIDES",
    "STANDEE",
    "TOKEN",
    "AbstractedCall",
    "Aspect",
    "Assault",
    "Assumed",
    "BattleModel",
    "BattleResult",
    "Battlefield",
    "Benchmark",
    "Block",
    "Card",
    "CardData",
    "CardFinder",
    "CardGroup",
    "CardOptions",
    "CheckContext",
    "CheckScope",
    "Claim",
    "Claims",
    "ClauseSpan",
    "Competitor",
    "Confidence",
    "Contact",
    "ContentProvider",
    "CounterBounds",
    "CrowdScores",
    "Decision",
    "DeckCard",
    "DefinitionList",
    "Dice",
    "Die",
    "Effect",
    "EffectRules",
    "Entry",
    "ExactAssault",
    "ExactDuel",
    "Features",
    "Field",
    "FieldDecks",
    "FieldRules",
    "FigureRange",
    "FigureRows",
    "Finding",
    "Findings",
    "FirstFighter",
    "Fix",
    "Flag",
    "FreeText",
    "GameData",
    "GameSettings",
    "GameTrials",
    "GlossaryTerm",
    "Grammar",
    "Height",
    "Identifier",
    "Idle",
    "InlineValue",
    "Int",
    "IntRange",
    "Interpretation",
    "ItemCount",
    "KeptFigures",
    "KeyPath",
    "Kind",
    "LateKinds",
    "Level",
    "LimitRule",
    "LiveScoreboard",
    "Log",
    "MarkedMeasurement",
    "MarkovChain",
    "Meaning",
    "Measurement",
    "MemoizedCall",
    "Model",
    "Modifier",
    "NoOptions",
    "NotAvailableError",
    "Number",
    "OddsSolver",
    "OddsTable",
    "OneOf",
    "Outlier",
    "Outliers",
    "Pack",
    "PackItem",
    "Pairing",
    "Parameter",
    "Part",
    "Player",
    "PreparedTrial",
    "Procedure",
    "Reference",
    "ReferenceContent",
    "Related",
    "RelayDuel",
    "RequiresOneOf",
    "Roll",
    "RoundsResult",
    "RulesConfig",
    "Ruleset",
    "Ruling",
    "Scoreboard",
    "SecretLog",
    "Selection",
    "SentenceReading",
    "SentenceSpan",
    "Series",
    "Severity",
    "Shape",
    "ShorthandModel",
    "SideStatus",
    "Size",
    "StackField",
    "StackModel",
    "Standing",
    "State",
    "Step",
    "Table",
    "Terminal",
    "Test",
    "Text",
    "TextBlock",
    "TextReader",
    "Token",
    "TooManyPathsError",
    "Transition",
    "Trial",
    "TurnRace",
    "TypicalCard",
    "UnclearError",
    "UnitStatus",
    "UnwrittenError",
    "Vocabulary",
    "Word",
    "accessory_kinds",
    "affect",
    "apply_text",
    "as_typed",
    "at_least",
    "at_least_rows",
    "at_most",
    "beside",
    "card_data",
    "card_of_kind",
    "cards_of",
    "centimetres",
    "cheapest_way_back",
    "choose",
    "choose_face_down",
    "choose_in_turn",
    "choose_one",
    "closest",
    "combats",
    "confirm",
    "contact_groups",
    "contradictions",
    "copies_by_points",
    "copies_in_force",
    "count_tokens",
    "decimal",
    "default_config",
    "default_settings",
    "definition_list",
    "did_you_mean",
    "die_faces",
    "distribution_rows",
    "distribution_table",
    "embolden",
    "fact_values",
    "find_by_name",
    "find_each",
    "finder_in_scope",
    "finder_of_links",
    "foreign_terms",
    "foreign_units",
    "game_from_file",
    "gap",
    "in_scope",
    "in_words_only",
    "initiative_trial",
    "italic_name",
    "join_words",
    "kinds_by_name",
    "label_table",
    "late",
    "lay_deployed",
    "left_out_note",
    "line_up",
    "miniature_items",
    "misfit",
    "mismatches",
    "missing_part",
    "name_end",
    "number_in_words",
    "numbered_names",
    "odds",
    "optional_card",
    "outcome_lines",
    "over_candidates",
    "percent",
    "piece_kinds",
    "pieces",
    "plain_data",
    "play_field",
    "play_turns",
    "printed_text",
    "punctuated",
    "put",
    "quantity",
    "race_scores",
    "read_claims",
    "read_glossary",
    "read_keyed_lines",
    "read_members",
    "read_rulings",
    "read_sentence",
    "recruits",
    "resolve_bearer",
    "rich_text",
    "roll_off",
    "roll_pool",
    "roll_sum",
    "roster_kind",
    "roster_pack",
    "round_robin_pairings",
    "rounds_lines",
    "rows_table",
    "rule",
    "select",
    "set_up_field",
    "settings_in_force",
    "side_names",
    "signed",
    "slugify",
    "split_sentences",
    "strategy_order",
    "strategy_trial",
    "such_as",
    "table",
    "takes",
    "text_entries",
    "thing",
    "told_changes",
    "tool_kinds",
    "topmost",
    "trim_size",
    "unclear_if",
]  # fmt: skip

# The modules that are loaded at their first use, and the names from each.
_LAZY_MODULES = {
    "cardgen.checking.check": (
        "CM_PER_INCH CheckContext CheckScope Confidence Finding Findings FreeText Related foreign_terms "
        "foreign_units rule"
    ),
    "cardgen.diagnostic": "Fix",
    "cardgen.checking.contradictions": "contradictions mismatches takes",
    "cardgen.checking.figures": "FigureRange FigureRows KeptFigures Outlier Outliers",
    "cardgen.game_file.loader": "game_from_file",
    "cardgen.grammar.claims": "Claim Claims gap read_claims read_members thing",
    "cardgen.grammar.clauses": "Features Meaning Series Token",
    "cardgen.grammar.grammar": "Grammar Terminal UnwrittenError punctuated",
    "cardgen.grammar.reading": (
        "ClauseSpan Interpretation Level Part SentenceReading SentenceSpan TextReader UnclearError name_end "
        "read_sentence split_sentences unclear_if"
    ),
    "cardgen.referee.battlefield": (
        "BattleModel Battlefield Contact Effect EffectRules StackField StackModel affect apply_text combats "
        "contact_groups line_up topmost"
    ),
    "cardgen.referee.battles": (
        "BattleResult FieldDecks FieldRules cards_of lay_deployed outcome_lines play_field play_turns recruits "
        "set_up_field side_names strategy_order strategy_trial"
    ),
    "cardgen.referee.die": "Dice Die SIDES misfit",
    "cardgen.referee.markov_chain": "CounterBounds MarkovChain State Step Transition",
    "cardgen.referee.odds": "OddsSolver TooManyPathsError decimal odds percent",
    "cardgen.referee.parameters": "Benchmark Parameter TypicalCard find_by_name missing_part numbered_names",
    "cardgen.referee.race": "Assault ExactAssault Standing TurnRace",
    "cardgen.referee.requests": (
        "AbstractedCall Decision LiveScoreboard Log MarkedMeasurement Measurement MemoizedCall Modifier Procedure "
        "Roll Scoreboard SecretLog Selection SideStatus Test UnitStatus at_least at_most choose choose_in_turn "
        "choose_one confirm in_scope roll_off roll_pool roll_sum select"
    ),
    "cardgen.referee.rounds": "DeckCard Player RoundsResult choose_face_down initiative_trial rounds_lines",
    "cardgen.referee.scores": "CrowdScores Pairing",
    "cardgen.referee.trial": (
        "Assumed CardData Competitor GameTrials Idle OddsTable PreparedTrial RulesConfig Trial at_least_rows card_data "
        "card_of_kind distribution_rows distribution_table in_words_only label_table optional_card over_candidates "
        "plain_data"
    ),
    "cardgen.reference.document_tree": "Block DefinitionList Table TextBlock",
    "cardgen.reference.resolve": "NotAvailableError rich_text",
    "cardgen.rulesets.duels": (
        "ExactDuel FORCES FirstFighter RelayDuel copies_by_points copies_in_force put race_scores round_robin_pairings"
    ),
    "cardgen.rulesets.pieces": "accessory_kinds piece_kinds tool_kinds trim_size",
    "cardgen.rulesets.reference": (
        "CardGroup CardOptions ContentProvider GameData InlineValue NoOptions ReferenceContent default_config "
        "definition_list fact_values find_each left_out_note rows_table table text_entries"
    ),
    "cardgen.source": "KeyPath",
}
# The modules whose names are used with their own name.
_LAZY_PARTS = ("pieces",)

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
