"""The targets of `cardgen export`: their modules, their options, and what they are for."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple


class TargetOption(NamedTuple):
    """An option that only some targets have.

    `flag` is its name on the command line, and `metavar` that of its value; an option without one is a switch.
    """

    flag: str
    help: str
    metavar: str = ""

    @property
    def name(self) -> str:
        """The name in `ExportJob.options`: 'asset_base_url' for '--asset-base-url'."""
        return self.flag.lstrip("-").replace("-", "_")

    @property
    def default(self) -> bool | None:
        """The value of an option that nobody gave."""
        return None if self.metavar else False


class Target(NamedTuple):
    """A program or service that cards can be exported to.

    `module` has the model of its profiles, `Profile`, and the function `export`; it is loaded when it is used.
    """

    title: str
    module: str
    summary: str
    options: tuple[TargetOption, ...] = ()

    def with_defaults(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return options with the defaults of those that are missing or None."""
        given = {name: value for name, value in options.items() if value is not None}
        return {option.name: option.default for option in self.options} | given


ASSET_BASE_URL = TargetOption(
    "--asset-base-url",
    "Address of the folder that the pictures will be uploaded to, instead of their paths on this computer.",
    "URL",
)

OLD_SCHEMA = TargetOption(
    "--old-schema", "Write piles as rooms had them before version 6 of the schema, for importers of that time."
)
PROFILE = TargetOption("--profile", "ICC profile of the press; colors are converted to its inks.", "FILE.icc")
UPLOAD = TargetOption("--upload", "Upload the pictures with your key; nothing is sent without this option.")
SKIP_SLOT = TargetOption("--skip-slot", "Slots to leave empty, such as 1,4, if dark cards disturb a mark.", "NUMBERS")
FOUR_MARKS = TargetOption("--four-marks", "Four corner marks, for machines that look for them.")
FEEDER = TargetOption("--feeder", "Marks farther from the edge, for the automatic sheet feeder.")

FOLDER = TargetOption("--folder", "Write the pictures as files beside the page, as for pages larger than 20 MB.")
NEW_SINCE = TargetOption("--new-since", "Mark the cards that are new or have changed since a release.", "RELEASE")
BALANCE = TargetOption("--balance", "Add the places of the cards in the balance, which can take minutes.")
COST = TargetOption("--cost", "Field with the cost of a card.  [default: the balance's, points, or cost]", "FIELD")

TARGETS: Mapping[str, Target] = MappingProxyType(
    {
        "tts": Target(
            "Tabletop Simulator",
            "cardgen.target.tabletops.tts",
            "Tabletop Simulator: decks, tokens, and bags.",
            (ASSET_BASE_URL,),
        ),
        "ttpg": Target(
            "Tabletop Playground",
            "cardgen.target.tabletops.ttpg",
            "Tabletop Playground: a package of templates.",
        ),
        "pcio": Target(
            "playingcards.io",
            "cardgen.target.tabletops.pcio",
            "playingcards.io and VirtualTabletop: a room.",
            (OLD_SCHEMA,),
        ),
        "cgs": Target(
            "Card Game Simulator",
            "cardgen.target.tabletops.cgs",
            "Card Game Simulator: a game with decks.",
            (ASSET_BASE_URL,),
        ),
        "mpc": Target(
            "MakePlayingCards",
            "cardgen.target.print.mpc",
            "MakePlayingCards: pictures and an order file.",
        ),
        "tgc": Target(
            "The Game Crafter",
            "cardgen.target.print.tgc",
            "The Game Crafter: pictures of exact size.",
            (UPLOAD,),
        ),
        "drivethru": Target(
            "DriveThruCards",
            "cardgen.target.print.drivethru",
            "DriveThruCards: a PDF/X-1a per card size.",
            (PROFILE,),
        ),
        "meinspiel": Target(
            "MeinSpiel",
            "cardgen.target.print.meinspiel",
            "MeinSpiel: a JPEG or CMYK TIFF per side.",
            (PROFILE,),
        ),
        "press": Target(
            "Press",
            "cardgen.target.print.press",
            "Any press: a PDF/X-4 with cut lines.",
            (PROFILE,),
        ),
        "silhouette": Target(
            "Silhouette",
            "cardgen.target.cutters.silhouette",
            "Silhouette cutters: sheets and cut files.",
            (SKIP_SLOT, FOUR_MARKS, FEEDER),
        ),
        "cricut": Target(
            "Cricut",
            "cardgen.target.cutters.cricut",
            "Cricut cutters: pictures and cut lines.",
        ),
        "web": Target(
            "Web page",
            "cardgen.target.web.page",
            "A web page: all cards, with search and filters.",
            (NEW_SINCE, BALANCE, COST, FOLDER),
        ),
    }
)
