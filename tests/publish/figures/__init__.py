"""Tests of the files that figures are published as."""
