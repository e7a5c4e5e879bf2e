"""What earlier runs did, kept in the user's cache folder. Loads light."""
