"""The procedures of the skirmish, each written once and rolled, computed, or asked."""
