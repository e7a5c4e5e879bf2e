"""What the engine does for sheets and printers."""
