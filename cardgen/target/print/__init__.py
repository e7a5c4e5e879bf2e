"""Print services: MakePlayingCards, The Game Crafter, DriveThruCards, MeinSpiel, and any press."""
