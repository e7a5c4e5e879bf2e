"""The pages of the studio, one folder for each view."""
