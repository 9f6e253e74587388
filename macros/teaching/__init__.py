"""Exercises about counting BERT, as values: question, answer, hints, solution and known wrong answers.

A set and a seed name one exercise, and name the same one everywhere: on the page, in a question
bank and here. `exercise.exercise("layer", 7)` is variant 7 of the set "layer".

How the modules fit together:

- `exercises.toml` declares the sets, and `sets.py` reads it.
- `letter_sums.py` holds sums with letters in place of sizes, to be worked out for any model.
- `chance.py` draws the same numbers from the same seed in Python and in the browser.
- `exercise.py` draws a variant; `wrong.py` finds the wrong answers to it and the feedback to each.
- `ways.py` and `files.py` export all of this to the scripts in `docs/assets/exercises/`, which
  repeat it.
- `banks/` writes exercises as question banks; `command_line.py` does so for any seeds.
- `lesson.toml` and `lesson.py` hold the lesson, which `lesson_page.py`, `on_paper.py` and
  `notebook.py` show.

Importing this package loads none of its modules, so that the command line can report whatever goes
wrong in one.
"""
