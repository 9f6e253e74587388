"""Tests of the names, listings and print-outs of frameworks."""
