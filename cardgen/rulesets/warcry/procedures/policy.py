"""What is done where no player is asked: named switches, so that every answer can say by which policy it holds."""

from __future__ import annotations

from cardgen.rulesets.ruling import Ruling

POLICIES: tuple[Ruling, ...] = (
    Ruling(
        "wild",
        "What are wild dice used for?",
        {
            "seize": "As singles by whoever has not the initiative, where that makes a tie at least; saved otherwise.",
            "lift": "To lift one's best set.",
            "keep": "They are saved.",
        },
    ),
    Ruling(
        "reactions",
        "When does a fighter react in a duel?",
        {"first": "To the first melee attack of each enemy activation, with Counter.", "never": "Never."},
    ),
)
