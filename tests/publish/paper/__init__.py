"""Tests of what only a browser can make: PDF files of hand-outs, and PNG files of figures."""
