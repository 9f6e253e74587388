"""The files that readers and scripts load, and their schemas."""
