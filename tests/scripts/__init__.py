"""Tests of the scripts that browsers run."""
