"""Dice and procedures: rolled, played, or solved exactly; verifiable transcripts."""
