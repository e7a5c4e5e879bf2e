"""The referee of Diskwars."""
