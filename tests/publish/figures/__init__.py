"""Figures as files."""
