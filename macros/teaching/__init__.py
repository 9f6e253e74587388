"""Exercises about counting BERT, as values: question, answer, hints, solution, and what each wrong answer means.

`exercise.exercise("layer", 7)` is one of them; a set and a seed say which, on
the page, in a question bank and here alike. Importing this package imports
nothing else, so that its command line can answer for whatever goes wrong then.
"""
