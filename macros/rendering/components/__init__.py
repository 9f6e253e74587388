"""The building blocks of every page: questions, numbers, formulas, tables, drawings, words and addresses."""
