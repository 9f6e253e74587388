"""What all pages are made of: questions, numbers, formulas, tables, drawings, words and addresses."""
