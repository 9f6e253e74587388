"""Tests of the files that only a browser can create: hand-outs as PDF and figures as PNG."""
