"""Tests of exercises, question banks and the lesson."""
