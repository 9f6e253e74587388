// The one door: what a text is, and what follows from it. Readers of one kind of text
// each are asked in turn, the most certain kind first: a file or config is known by its
// form, a warning by its words, a print-out by its rows, a sum by its terms, and a line
// by its labels. Each returns null if the text is of another kind. What remains is a
// number, which `explaining/` explains.

import { plain } from "./clean.js"
import { accountOfConfig } from "./configs/account.js"
import { accountOfLabels } from "./labels/account.js"
import { accountOfRows } from "./rows/account.js"
import { accountOfSum } from "./sums/account.js"
import { accountOfWarning } from "./warnings/account.js"

/** The readers, the most certain kind first; each takes a text in plain characters. */
const READERS = [accountOfConfig, accountOfWarning, accountOfRows, accountOfSum, accountOfLabels]

/** The account of a text; null if it is a number or nothing that we can read.
 * @param {string} text @returns {Account | null} */
export function account(text) {
  const clean = plain(text)
  for (const reader of READERS) {
    const result = reader(clean)
    if (result) return result
  }
  return null
}
