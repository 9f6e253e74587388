"""Exercises about counting BERT, with question, answer, hints, solution and known wrong answers.

A set and a seed identify the same exercise everywhere: on the page, in a question bank and here.
`exercise.exercise("layer", 7)` is variant 7 of the set "layer".

How the main modules fit together:

- `exercises.toml` declares the sets, and `sets.py` reads it.
- `letter_sums.py` represents sums with letters in place of sizes, which can be evaluated for any model.
- `chance.py` draws the same numbers from the same seed in Python and in the browser.
- `exercise.py` draws a variant; `wrong.py` derives the wrong answers to it and the feedback on each.
- `ways.py` and `files.py` export all of this to the scripts in `docs/assets/exercises/`, which
  draw the same exercises.
- `banks/` writes exercises as question banks; `command_line.py` does so for any seeds.
- `lesson.toml` and `lesson.py` hold the lesson, which `lesson_page.py`, `on_paper.py` and
  `notebook.py` show.

Importing this package loads none of its modules, so that the command line can report an error in
any of them.
"""
