"""The files that readers download and scripts load, and their schemas."""
