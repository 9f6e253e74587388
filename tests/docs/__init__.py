"""Tests of the built site and of the pages it is built from."""
